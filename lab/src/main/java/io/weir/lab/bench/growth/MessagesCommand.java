package io.weir.lab.bench.growth;

import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.base.SystemClock;
import jakarta.jms.ConnectionFactory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.naming.Context;
import javax.naming.InitialContext;

/**
 * {@link MessageFlow}s in a separate process, until its input ends: {@code open KIND NAME PORT COUNT} opens one, where
 * KIND is queues, topic or backlog; {@code run NAME SECONDS SEED} loads by it; {@code close NAME} closes it. Confined to
 * its main thread.
 */
public final class MessagesCommand {
    private final Map<String, MessageFlow> open = new HashMap<>();
    private final Clock clock = SystemClock.INSTANCE;

    private MessagesCommand() {}

    public static void main(String[] words) throws IOException {
        new MessagesCommand()
                .serve(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)), System.out);
        // the client leaves threads behind
        System.exit(0);
    }

    private void serve(BufferedReader orders, PrintStream out) throws IOException {
        out.println("ready");
        for (String line = orders.readLine(); line != null; line = orders.readLine()) {
            String answer;
            try {
                answer = obey(line.split(" ", -1));
            } catch (Exception e) {
                answer = "failed " + String.valueOf(e).replace('\n', ' ');
            }
            out.println(answer);
            out.flush();
        }
    }

    private String obey(String[] words) throws Exception {
        return switch (words[0]) {
            case "open" -> open(words[1], words[2], factory(words[3]), Integer.parseInt(words[4]));
            case "close" -> close(words[1]);
            case "run" ->
                run(
                        flow(words[1]),
                        TimeUnit.SECONDS.toNanos(Long.parseLong(words[2])),
                        Chance.seeded(Long.parseLong(words[3])));
            default -> throw new IOException("not an order: " + words[0]);
        };
    }

    private String open(String kind, String name, ConnectionFactory factory, int count) throws Exception {
        open.put(
                name,
                switch (kind) {
                    case "queues" -> new ManyQueues(factory, count, clock);
                    case "topic" -> new ManySubscribers(factory, count, clock);
                    case "backlog" -> new WaitingMessages(factory, count);
                    default -> throw new IOException("no load is named " + kind);
                });
        return "open";
    }

    private String close(String name) throws Exception {
        MessageFlow flow = open.remove(name);
        if (flow != null) {
            flow.close();
        }
        return "closed";
    }

    private MessageFlow flow(String name) throws IOException {
        MessageFlow flow = open.get(name);
        if (flow == null) {
            throw new IOException(name + " is not open");
        }
        return flow;
    }

    private String run(MessageFlow flow, long nanos, Chance chance) throws Exception {
        long start = clock.nanos();
        long received = flow.run(() -> clock.nanos() - start < nanos, chance.random());
        return String.format(Locale.ROOT, "found %d %.6f 0 0", received, (clock.nanos() - start) / 1e9);
    }

    // The API of JNDI takes a Hashtable; the name is this program's.
    @SuppressWarnings({"JdkObsolete", "BanJNDI"})
    private static ConnectionFactory factory(String port) throws Exception {
        Hashtable<String, String> table = new Hashtable<>();
        table.put(Context.INITIAL_CONTEXT_FACTORY, "io.weir.jms.WeirContextFactory");
        table.put(Context.PROVIDER_URL, "weir://127.0.0.1:" + port);
        Context context = new InitialContext(table);
        try {
            return (ConnectionFactory) context.lookup("Growth");
        } finally {
            context.close();
        }
    }
}
