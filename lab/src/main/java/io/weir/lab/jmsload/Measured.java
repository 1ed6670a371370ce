package io.weir.lab.jmsload;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The result of a turn: {@code measured key=value …}, a line. Immutable.
 *
 * @param done messages received by all consumers, or requests answered
 * @param sent messages sent
 * @param seconds of measuring
 * @param deviation of the rate between tenths of a second, divided by the rate
 * @param busy processor time of the busiest consumer's thread divided by the time; 0 if a listener's thread is unknown
 * @param p50 median latency in microseconds; 0 without requests
 * @param p99 99 of 100 are faster
 * @param p999 999 of 1,000 are faster
 * @param max the slowest
 */
public record Measured(
        long done,
        long sent,
        double seconds,
        double deviation,
        double busy,
        double p50,
        double p99,
        double p999,
        double max) {
    /** The first word of the line. */
    public static final String WORD = "measured";

    public double perSecond() {
        return done / seconds;
    }

    public String line() {
        return String.format(
                Locale.ROOT,
                "%s done=%d sent=%d seconds=%.4f deviation=%.4f busy=%.4f p50=%.1f p99=%.1f p999=%.1f max=%.1f",
                WORD,
                done,
                sent,
                seconds,
                deviation,
                busy,
                p50,
                p99,
                p999,
                max);
    }

    /** Reads what {@link #line()} wrote. */
    public static Measured parse(String line) {
        Map<String, String> values = new HashMap<>();
        for (String word : line.strip().split(" +", -1)) {
            int at = word.indexOf('=');
            if (at > 0) {
                values.put(word.substring(0, at), word.substring(at + 1));
            }
        }
        return new Measured(
                (long) number(values, "done"),
                (long) number(values, "sent"),
                number(values, "seconds"),
                number(values, "deviation"),
                number(values, "busy"),
                number(values, "p50"),
                number(values, "p99"),
                number(values, "p999"),
                number(values, "max"));
    }

    private static double number(Map<String, String> values, String key) {
        String value = values.get(key);
        if (value == null) {
            throw new IllegalArgumentException("no " + key + " in the load's output");
        }
        return Double.parseDouble(value);
    }
}
