package io.weir.lab.bench.growth;

import io.weir.base.Chance;
import io.weir.base.SystemClock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * {@link ManyConnections} in a separate process, until its input ends: {@code open PORT COUNT} opens connections after
 * it has closed the former ones, {@code run SECONDS SEED} loads by them. Confined to its main thread.
 */
public final class ConnectionsCommand {
    private @Nullable ManyConnections open;

    private ConnectionsCommand() {}

    public static void main(String[] words) throws IOException {
        new ConnectionsCommand()
                .serve(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)), System.out);
    }

    void serve(BufferedReader orders, PrintStream out) throws IOException {
        out.println("ready");
        for (String line = orders.readLine(); line != null; line = orders.readLine()) {
            String answer;
            try {
                answer = obey(line.split(" ", -1));
            } catch (IOException | RuntimeException e) {
                answer = "failed " + String.valueOf(e).replace('\n', ' ');
            }
            out.println(answer);
            out.flush();
        }
        close();
    }

    private String obey(String[] words) throws IOException {
        if (words[0].equals("open")) {
            close();
            open = ManyConnections.open(Integer.parseInt(words[1]), Integer.parseInt(words[2]), SystemClock.INSTANCE);
            return "open";
        }
        ManyConnections load = open;
        if (load == null || !words[0].equals("run")) {
            throw new IOException("not an order: " + words[0]);
        }
        ManyConnections.Found found = load.run(
                Double.parseDouble(words[1]),
                Chance.seeded(Long.parseLong(words[2])).random());
        return String.format(
                Locale.ROOT, "found %d %.6f %d %d", found.answers(), found.seconds(), found.closed(), found.refused());
    }

    private void close() throws IOException {
        ManyConnections before = open;
        if (before != null) {
            before.close();
            open = null;
        }
    }
}
