package io.weir.lab.load;

import io.weir.base.SystemClock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * {@link OpenLoop} in a separate process, which stays warm between turns: reads {@code port path rate seconds
 * connections streams} and prints {@code found unanswered p50 p99 p99.9 max late busy}, times in microseconds, until its
 * input ends; {@code late} is the 99.9th percentile of the load's own delay. Stateless.
 */
public final class OpenLoopCommand {
    private static final double MICRO = 1000;

    private OpenLoopCommand() {}

    public static void main(String[] words) throws IOException {
        serve(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)), System.out);
    }

    static void serve(BufferedReader orders, PrintStream out) throws IOException {
        out.println("ready");
        for (String line = orders.readLine(); line != null; line = orders.readLine()) {
            String[] words = line.split(" ", -1);
            OpenLoop.Found found = OpenLoop.run(
                    new OpenLoop.Plan(
                            Integer.parseInt(words[0]),
                            words[1],
                            Double.parseDouble(words[2]),
                            Double.parseDouble(words[3]),
                            Integer.parseInt(words[4]),
                            Integer.parseInt(words[5])),
                    SystemClock.INSTANCE);
            out.printf(
                    Locale.ROOT,
                    "found %d %.1f %.1f %.1f %.1f %.1f %.3f%n",
                    found.unanswered(),
                    found.nanos().getValueAtPercentile(50) / MICRO,
                    found.nanos().getValueAtPercentile(99) / MICRO,
                    found.nanos().getValueAtPercentile(99.9) / MICRO,
                    found.nanos().getMaxValue() / MICRO,
                    found.late().getValueAtPercentile(99.9) / MICRO,
                    found.busy());
            out.flush();
        }
    }
}
