package io.weir.lab.bench.program;

import io.weir.base.SystemClock;
import io.weir.lab.disk.ForceProbe;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/**
 * {@link ForceProbe} in a separate process, pinned like the broker with which it takes turns. Its argument is a folder; it
 * reads {@code BYTES MILLIS} and prints the forced writes a second for each line until its input ends. Stateless.
 */
public final class ForceProbeCommand {
    private ForceProbeCommand() {}

    public static void main(String[] words) throws IOException {
        serve(
                Path.of(words[0]),
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)),
                System.out);
    }

    static void serve(Path folder, BufferedReader orders, PrintStream out) throws IOException {
        try (ForceProbe.Prepared file = ForceProbe.prepare(folder, true)) {
            out.println("ready");
            for (String line = orders.readLine(); line != null; line = orders.readLine()) {
                String[] words = line.split(" ", 2);
                Duration time = Duration.ofMillis(Long.parseLong(words[1]));
                out.println(file.measure(SystemClock.INSTANCE, time, Integer.parseInt(words[0]))
                        .perSecond());
                out.flush();
            }
        }
    }
}
