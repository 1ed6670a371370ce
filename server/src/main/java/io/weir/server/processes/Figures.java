package io.weir.server.processes;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Statistics of several processes as one: expositions in Prometheus' text format, summed series by series. Confined to
 * its user; lives as long as that needs it.
 */
final class Figures {
    /** Families that only the first process has; those of the others are of an implicit cluster of one. */
    private static final List<String> FIRST = List.of(
            "weir_cluster_",
            "weir_lease_",
            "weir_singleton_",
            "weir_timer_",
            "weir_naming_",
            "weir_journal_",
            "weir_jms_",
            "weir_destination_",
            "weir_quota_",
            "weir_wire_",
            "weir_invoke_");

    /** The workers' admin listeners, which only their supervisor uses. */
    private static final String ADMIN = "weir_admin_";

    private static final List<String> COUNTING = List.of(" counter", " histogram", " summary", " untyped");

    /** Counts of the cluster's state, which outlives its processes: the next process has them again. */
    private static final Set<String> PERSISTENT = Set.of("weir_lease_transitions_total");

    private static final Set<String> LEAST =
            Set.of("process_start_time_seconds", "weir_tls_certificate_expiry_seconds");
    private static final Set<String> MAXIMA = Set.of(
            "jvm_runtime_info",
            "weir_cache_owners",
            "weir_info",
            "weir_mode_high_concurrency",
            "weir_origin_state",
            "weir_pressure_step",
            "weir_request_class_share",
            "weir_server_failed",
            "weir_work_shut_down");

    /** A family of series with its comment lines. */
    private record Family(String name, String help, String type, Map<String, Double> series) {
        /** Whether it only grows, so that a process's counts are kept when it ends. */
        boolean counts() {
            // counters besides a gauge with the same name are untyped
            return COUNTING.stream().anyMatch(type::endsWith) && !PERSISTENT.contains(name);
        }

        private void write(StringBuilder text) {
            series.forEach((name, value) ->
                    text.append(name).append(' ').append(written(value)).append('\n'));
        }
    }

    private static final String TOTAL = "_total";
    private static final String HELP = "# HELP ";

    private final Map<String, Family> families = new TreeMap<>();

    /** Parses the answer of one process. */
    static Figures parse(String text) {
        Figures all = new Figures();
        String help = "";
        Family family = null;
        for (String line : text.split("\n", -1)) {
            if (line.startsWith(HELP)) {
                help = line;
            } else if (line.startsWith("# TYPE ")) {
                String name = line.split(" ", -1)[2];
                family = new Family(
                        name, help.startsWith("# HELP " + name + " ") ? help : "", line, new LinkedHashMap<>());
                all.families.put(name, family);
            } else if (!line.isEmpty() && line.charAt(0) != '#' && family != null) {
                int space = line.lastIndexOf(' ');
                family.series.put(line.substring(0, space), number(line.substring(space + 1)));
            }
        }
        return all;
    }

    private static double number(String text) {
        return switch (text) {
            case "+Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }

    /** Adds the statistics of a living worker. */
    void addWorker(int process, Figures other) {
        other.families.values().stream()
                .filter(f -> !f.name.startsWith(ADMIN))
                .filter(f -> process == 1 || FIRST.stream().noneMatch(f.name::startsWith))
                .forEach(this::add);
    }

    /** Adds the counts of a worker that has ended. */
    void addEnded(int process, Figures other) {
        Figures counted = new Figures();
        other.families.values().stream().filter(Family::counts).forEach(f -> counted.families.put(f.name, f));
        addWorker(process, counted);
    }

    /** Adds everything. */
    void addAll(Figures other) {
        other.families.values().forEach(this::add);
    }

    /** These, with the families of others replacing those of the same name. */
    Figures with(Figures others) {
        Figures all = new Figures();
        all.families.putAll(families);
        all.families.putAll(others.families);
        return all;
    }

    private void add(Family other) {
        Family mine =
                families.computeIfAbsent(other.name, n -> new Family(n, other.help, other.type, new LinkedHashMap<>()));
        other.series.forEach((series, value) -> mine.series.merge(series, value, (a, b) -> join(other.name, a, b)));
    }

    private static double join(String name, double a, double b) {
        if (LEAST.contains(name)) {
            return Math.min(a, b);
        }
        return MAXIMA.contains(name) ? Math.max(a, b) : a + b;
    }

    /** All values by their names with labels. */
    Map<String, Double> series() {
        Map<String, Double> all = new LinkedHashMap<>();
        families.values().forEach(f -> all.putAll(f.series));
        return all;
    }

    /** Writes the exposition of all. */
    String write() {
        StringBuilder text = new StringBuilder(32 * 1024);
        for (Family f : families.values()) {
            if (!f.help.isEmpty()) {
                text.append(f.help).append('\n');
            }
            text.append(f.type).append('\n');
            f.write(text);
        }
        return text.toString();
    }

    /** The same in OpenMetrics' text format, in which a counter's family has no suffix. */
    String writeOpen() {
        StringBuilder text = new StringBuilder(32 * 1024);
        for (Family f : families.values()) {
            boolean counter = f.type.endsWith(" counter") && f.name.endsWith(TOTAL);
            String name = counter ? f.name.substring(0, f.name.length() - TOTAL.length()) : f.name;
            String type = f.type.substring(f.type.lastIndexOf(' ') + 1);
            text.append("# TYPE ").append(name).append(' ').append(type.equals("untyped") ? "unknown" : type);
            text.append('\n');
            if (!f.help.isEmpty()) {
                text.append("# HELP ").append(name).append(f.help.substring(HELP.length() + f.name.length()));
                text.append('\n');
            }
            f.write(text);
        }
        return text.append("# EOF\n").toString();
    }

    private static String written(double value) {
        return Double.isInfinite(value) ? value > 0 ? "+Inf" : "-Inf" : Double.toString(value);
    }
}
