package io.weir.server.monitor;

import io.weir.server.monitor.text.PerfdumpLines;
import io.weir.server.monitor.text.TextTable;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;

/** Perfdump of several processes: a table of the processes, and the sums of their figures. Stateless. */
public final class ProcessesText {
    /** The page {@code /nsc} of several processes. */
    public static String cachePage(List<String> states, int listed) {
        return Snapshot.CacheState.page(states, listed);
    }

    private static final String FIRST_SECTION = "ConnectionQueue:";
    private static final String RUNNING_ONLY =
            "The figures below are of the processes that run: /metrics has the counts of ended ones, too.";
    private static final List<String> FIRST_PROCESS = List.of("\nMessagingInfo:", "\nClusterInfo ");

    /**
     * A process and its answer.
     *
     * @param pid 0 while it is not ready
     * @param without text instead of missing figures
     * @param figures none if it is not ready, or does not answer
     */
    public record ProcessAnswer(int process, long pid, String without, List<Snapshot> figures) {
        public ProcessAnswer {
            figures = List.copyOf(figures);
        }
    }

    /**
     * The supervisor of the processes.
     *
     * @param processStarted milliseconds since the epoch
     * @param serverStarted when it started to serve
     */
    public record Supervisor(long pid, long processStarted, long serverStarted) {}

    private ProcessesText() {}

    /**
     * The report.
     *
     * @param processes in their order; at least one has figures
     * @param first perfdump of the first one, which alone has messaging and the cluster; empty if there is none
     * @param now milliseconds since the epoch
     */
    public static String perfdump(Supervisor supervisor, List<ProcessAnswer> processes, String first, long now) {
        List<Snapshot> all =
                processes.stream().flatMap(p -> p.figures().stream()).toList();
        Snapshot sum = Snapshot.sum(all);
        String text = new Perfdump(sum, ZoneId.systemDefault(), now).write(sum.collecting());
        long pid = supervisor.pid();
        ZoneId zone = ZoneId.systemDefault();
        text = text.replaceFirst("proxyd pid: [0-9/]+", "proxyd pid: " + pid)
                .replaceFirst("Server started .*", "Server started " + Perfdump.ctime(supervisor.serverStarted(), zone))
                .replaceFirst(
                        "Process [0-9]+ started .*",
                        "Process " + pid + " started " + Perfdump.ctime(supervisor.processStarted(), zone));
        int at = Math.max(0, text.indexOf(FIRST_SECTION));
        return text.substring(0, at) + table(processes) + text.substring(at) + own(first);
    }

    /**
     * The JSON of {@code /origins} for all processes.
     *
     * @param all the snapshots of at least one
     */
    public static String origins(List<Snapshot> all) {
        return OriginsText.json(Snapshot.sum(all).origins());
    }

    /**
     * The JSON of {@code /traffic} for all processes.
     *
     * @param all the answers of at least one to {@code /figures/traffic}
     * @param clients the most clients in it
     */
    public static String traffic(List<String> all, int clients) {
        return TrafficText.json(Snapshot.Traffic.sum(all, clients));
    }

    private static String table(List<ProcessAnswer> processes) {
        TextTable table = new TextTable("Process", "Pid", "State", "Started", "Requests", "Sessions", "KeepAlive");
        for (ProcessAnswer p : processes) {
            if (p.figures().isEmpty()) {
                String pid = p.pid() == 0 ? "" : Long.toString(p.pid());
                table.row(Integer.toString(p.process()), pid, p.without(), "", "", "", "");
            }
            for (Snapshot s : p.figures()) {
                table.row(
                        Integer.toString(p.process()),
                        Long.toString(s.identity().pid()),
                        "ready",
                        Instant.ofEpochMilli(s.identity().processStarted()).toString(),
                        Long.toString(s.requests()),
                        Long.toString(s.sessions().active()),
                        Long.toString(s.sessions().keepAlive()));
            }
        }
        StringBuilder text = new StringBuilder();
        new PerfdumpLines(text).table("Processes:", table, processes.size());
        List<String> silent = processes.stream()
                .filter(p -> p.pid() != 0 && p.figures().isEmpty())
                .map(p -> "Process " + p.process() + " does not answer: its figures are missing below.")
                .toList();
        text.append(RUNNING_ONLY).append('\n');
        silent.forEach(line -> text.append(line).append('\n'));
        return text.append('\n').toString();
    }

    private static String own(String first) {
        return FIRST_PROCESS.stream()
                .map(first::indexOf)
                .filter(i -> i >= 0)
                .min(Integer::compare)
                .map(i -> first.substring(i + 1))
                .orElse("");
    }
}
