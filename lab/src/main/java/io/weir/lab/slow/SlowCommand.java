package io.weir.lab.slow;

import io.weir.base.Clock;
import io.weir.base.SystemClock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Quick and slow clients in a separate process. It reads orders and answers each with a line: {@code slow} with the
 * ports starts the slow ones, {@code end} ends them, {@code quick PORT ADMIN RATE SECONDS} runs the quick ones, which
 * also request {@code /health} of ADMIN unless it is 0. Ends with its input. Confined to its main thread.
 */
public final class SlowCommand {
    /** Number of quick clients. */
    public static final int QUICK = 50;

    /** Their target: an uncacheable answer of a kilobyte. */
    public static final String PATH = "/bytes/1024?quick=";

    private static final int EACH = 10;
    private static final int HEALTH_RATE = 10;
    private static final int PATIENCE_MILLIS = 10_000;
    private final Clock clock;
    private @Nullable SlowClients slow;

    private SlowCommand(Clock clock) {
        this.clock = clock;
    }

    public static void main(String[] words) throws Exception {
        new SlowCommand(SystemClock.INSTANCE)
                .serve(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)), System.out);
    }

    private void serve(BufferedReader orders, PrintStream out) throws Exception {
        out.println("ready");
        for (String line = orders.readLine(); line != null; line = orders.readLine()) {
            List<String> words = Arrays.asList(line.split(" ", -1));
            out.println(obey(words.getFirst(), words.subList(1, words.size())));
        }
    }

    private String obey(String order, List<String> words) throws Exception {
        return switch (order) {
            case "slow" -> begin(SlowPorts.parse(words));
            case "end" -> end();
            case "quick" -> quick(words);
            default -> throw new IOException("not an order: " + order);
        };
    }

    private String begin(SlowPorts ports) throws Exception {
        SlowClients started = SlowClients.start(ports, SlowKind.full(), clock);
        slow = started;
        int missing = started.awaitAll(PATIENCE_MILLIS);
        return "slow " + started.counts().open() + " " + missing;
    }

    private String end() throws IOException {
        SlowClients running = slow;
        if (running == null) {
            return "ended";
        }
        Map<SlowKind, SlowCounts.Of> all = running.counts().read();
        running.close();
        slow = null;
        return "ended "
                + all.entrySet().stream()
                        .map(e -> text(e.getKey(), e.getValue()))
                        .collect(Collectors.joining(", "));
    }

    private static String text(SlowKind kind, SlowCounts.Of of) {
        return kind.key() + " " + of.open() + " open" + (of.cut() > 0 ? " " + of.cut() + " cut" : "")
                + (of.refused() > 0 ? " " + of.refused() + " refused (" + of.said() + ")" : "")
                + (of.unconnected() > 0 ? " " + of.unconnected() + " not connected" : "");
    }

    private String quick(List<String> words) throws Exception {
        int admin = Integer.parseInt(words.get(1));
        double rate = Double.parseDouble(words.get(2));
        int seconds = Integer.parseInt(words.get(3));
        QuickClients.Plan misses = new QuickClients.Plan(
                Integer.parseInt(words.getFirst()),
                PATH,
                QUICK,
                rate,
                Math.round(rate * seconds),
                EACH,
                PATIENCE_MILLIS);
        CompletableFuture<String> health = CompletableFuture.completedFuture("0 0 0.0 ");
        if (admin > 0) {
            QuickClients.Plan asked = new QuickClients.Plan(
                    admin, "/health?", 1, HEALTH_RATE, (long) HEALTH_RATE * seconds, 1, PATIENCE_MILLIS);
            health = CompletableFuture.supplyAsync(
                    () -> health(asked), r -> Thread.ofPlatform().start(r));
        }
        QuickClients.Found found = QuickClients.run(misses, clock);
        return String.format(
                        Locale.ROOT,
                        "found %d %d %.1f %.1f %.1f ",
                        found.answers(),
                        found.errors(),
                        found.micros(50),
                        found.micros(99),
                        found.mostMicros())
                + health.get()
                + found.first();
    }

    private String health(QuickClients.Plan plan) {
        try {
            QuickClients.Found found = QuickClients.run(plan, clock);
            return String.format(Locale.ROOT, "%d %d %.1f ", found.answers(), found.errors(), found.mostMicros())
                    + (found.errors() > 0 ? "/health: " + found.first() + "; " : "");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "0 0 0.0 ";
        }
    }
}
