package io.weir.lab.scenario;

import io.weir.base.Clock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The counters that a running server shows at {@code /metrics}, read over its admin listener. A selector names a metric
 * and some of its labels; the values of all matching samples are added. Thread-safe: each reading is a connection.
 */
public final class Counters {
    private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? ([^ ]+)(?: .*)?");
    private static final Pattern LABEL = Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern CONDITION =
            Pattern.compile("(\\S+?)(\\{.*})?\\s+(\\+|=|>=|<=|>|<|\\+>=)\\s*(-?[0-9.]+)");
    private static final int PATIENCE_MILLIS = 60_000;
    private final int adminPort;
    private final Clock clock;

    public Counters(int adminPort, Clock clock) {
        this.adminPort = adminPort;
        this.clock = clock;
    }

    /** A sample: its labels ordered by name, and its value. */
    record Sample(String name, Map<String, String> labels, double value) {}

    /** All counters at one moment. */
    public record Reading(Map<String, Double> samples) {
        /** The sum over all samples with that name and the given labels; 0 if there are none. */
        public double sum(String name, String labels) {
            Map<String, String> wanted = labels(labels);
            double sum = 0;
            for (Map.Entry<String, Double> e : samples.entrySet()) {
                int brace = e.getKey().indexOf('{');
                String sampleName = brace < 0 ? e.getKey() : e.getKey().substring(0, brace);
                if (sampleName.equals(name) && labels(e.getKey()).entrySet().containsAll(wanted.entrySet())) {
                    sum += e.getValue();
                }
            }
            return sum;
        }

        /** Whether a sample with that name exists, whatever its labels. */
        public boolean knows(String name) {
            return samples.keySet().stream().anyMatch(k -> k.equals(name) || k.startsWith(name + "{"));
        }
    }

    /** Reads all counters once. */
    public Reading read() {
        return read("/metrics");
    }

    /** Reads all counters of one of several processes. */
    public Reading of(int process) {
        return read("/metrics?process=" + process);
    }

    private Reading read(String path) {
        try {
            return parse(fetch(path));
        } catch (IOException e) {
            throw new ScenarioFailure("cannot read /metrics", e);
        }
    }

    /** The body of the admin listener's answer for a path. */
    public String fetch(String path) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), adminPort)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            String request =
                    "GET " + path + " HTTP/1.1\r\nHost: localhost:" + adminPort + "\r\nConnection: close\r\n\r\n";
            Transcript silent = new Transcript(clock);
            Wire wire = new Wire("counters", silent, socket, PATIENCE_MILLIS);
            wire.send(request.getBytes(StandardCharsets.ISO_8859_1));
            ScenarioMessage answer = ScenarioMessage.read(wire, false, false);
            byte[] body = answer.body().kept;
            if (!ScenarioMessage.status(answer.start).equals("200")) {
                throw new IOException(path + " answered " + answer.start);
            }
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    static Reading parse(String text) {
        Map<String, Double> samples = new TreeMap<>();
        text.lines().filter(l -> !l.isBlank() && !l.startsWith("#")).forEach(l -> {
            Matcher m = SAMPLE.matcher(l);
            if (m.matches()) {
                String labels = m.group(2) == null ? "" : "{" + m.group(2) + "}";
                samples.put(m.group(1) + labels, number(m.group(3)));
            }
        });
        return new Reading(samples);
    }

    private static double number(String text) {
        return switch (text) {
            case "+Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }

    private static Map<String, String> labels(String text) {
        Map<String, String> labels = new HashMap<>();
        Matcher m = LABEL.matcher(text);
        while (m.find()) {
            labels.put(m.group(1), m.group(2));
        }
        return labels;
    }

    /**
     * Waits until {@code name{labels} op number} holds; {@code +n} means n more than in the baseline. A counter that
     * overshoots fails at once.
     */
    void await(String condition, Reading baseline) {
        Matcher m = CONDITION.matcher(condition);
        if (!m.matches()) {
            throw new ScenarioFailure("not a condition: " + condition + " (name{labels} +|=|>=|<=|>|< number)");
        }
        String labels = m.group(2) == null ? "" : m.group(2);
        boolean delta = m.group(3).startsWith("+");
        String operator = delta ? (m.group(3).equals("+") ? "=" : ">=") : m.group(3);
        double wanted = Double.parseDouble(m.group(4));
        long deadline = clock.nanos() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        while (true) {
            Reading now = read();
            double base = delta ? baseline.sum(m.group(1), labels) : 0;
            double value = now.sum(m.group(1), labels) - base;
            if (Checks.ordered(value, operator, wanted)) {
                return;
            }
            boolean overshot = delta && operator.equals("=") && value > wanted;
            if (overshot || clock.nanos() - deadline > 0) {
                throw new ScenarioFailure("counter " + condition + ": it is " + (delta ? "+" : "") + value
                        + (now.knows(m.group(1)) ? "" : "; there is no such counter") + related(now, m.group(1)));
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    private static String related(Reading now, String name) {
        String stem = name.substring(0, Math.min(name.length(), 10));
        StringBuilder out = new StringBuilder();
        now.samples().forEach((k, v) -> {
            if (k.startsWith(stem) && v != 0) {
                out.append("\n    ").append(k).append(' ').append(v);
            }
        });
        return out.toString();
    }
}
