package io.weir.lab.jmsload;

import io.weir.base.Clock;
import io.weir.base.SystemClock;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Hashtable;
import java.util.Properties;
import javax.naming.Context;
import javax.naming.InitialContext;

/**
 * The load's program. First argument: a file with the JNDI environment. Reads turns from standard input, one a line,
 * until it ends. Prints {@code ready}, and for each turn {@code measuring} when the load is steady, {@code measured …}
 * after the measurement, and {@code ready} when everything is closed and the destination is empty; or {@code failed …}.
 */
public final class LoadCommand {
    private final Context context;
    private final Clock clock;
    private final PrintStream out;
    private final HeldConsumers held = new HeldConsumers();

    private LoadCommand(Context context, Clock clock, PrintStream out) {
        this.context = context;
        this.clock = clock;
        this.out = out;
    }

    // The API of JNDI takes a Hashtable.
    @SuppressWarnings("JdkObsolete")
    public static void main(String[] words) throws Exception {
        Properties environment = new Properties();
        try (Reader file = Files.newBufferedReader(Path.of(words[0]))) {
            environment.load(file);
        }
        Hashtable<Object, Object> table = new Hashtable<>(environment);
        LoadCommand load = new LoadCommand(new InitialContext(table), SystemClock.INSTANCE, System.out);
        load.serve(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
        // providers leave non-daemon threads behind
        System.exit(0);
    }

    private void serve(BufferedReader in) throws IOException {
        say("ready");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            try {
                say(turn(Turn.parse(line)).line());
                say("ready");
            } catch (Exception e) {
                say("failed " + String.valueOf(e).replace('\n', ' '));
            }
        }
    }

    // Names come from the benchmark that started this process, and JNDI is what all providers have in common.
    @SuppressWarnings("BanJNDI")
    private Measured turn(Turn turn) throws Exception {
        ConnectionFactory factory = (ConnectionFactory) context.lookup(turn.factory());
        Destination destination = (Destination) context.lookup(turn.destination());
        Runnable measuring = () -> say("measuring");
        return switch (turn.kind()) {
            case "flow" -> new Flow(turn, factory, destination, clock).run(measuring);
            case "connects", "sessions" -> new Openings(turn, factory, destination, clock).run(measuring);
            case "hold" -> {
                measuring.run();
                yield held.hold(turn, factory, destination);
            }
            default -> new RoundTrips(turn, factory, destination, clock).run(measuring);
        };
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }
}
