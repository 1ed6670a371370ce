package io.weir.lab.bench.process;

import java.util.Map;

/** A server's statistics in the text format of Prometheus, as read at one moment. Immutable. */
public record Exposition(String text) {
    /**
     * The value of a sample.
     *
     * @param labels that its line has, besides others
     * @throws BenchFailure if there is none, or more than one
     */
    public double value(String name, Map<String, String> labels) throws BenchFailure {
        Double found = null;
        for (String line : text.lines().toList()) {
            if (isSample(line, name, labels)) {
                if (found != null) {
                    throw new BenchFailure("several statistics are " + name + " " + labels);
                }
                found = Double.valueOf(line.substring(line.lastIndexOf(' ') + 1));
            }
        }
        if (found == null) {
            throw new BenchFailure("no statistic is " + name + " " + labels);
        }
        return found;
    }

    private static boolean isSample(String line, String name, Map<String, String> labels) {
        boolean named = line.startsWith(name + "{") || line.startsWith(name + " ");
        return named
                && labels.entrySet().stream()
                        .allMatch(l -> line.contains("{" + l.getKey() + "=\"" + l.getValue() + "\"")
                                || line.contains("," + l.getKey() + "=\"" + l.getValue() + "\""));
    }
}
