package io.weir.server.monitor.source;

import io.weir.base.Clock;
import io.weir.base.LoadAverage;
import io.weir.server.monitor.source.Facts.Averages;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns counts into rates and averages once a second. Confined to the admin loop; {@link #latest} may be read by any
 * thread.
 */
public final class Sampler {
    private static final double NANOS = 1e9;

    /** Counts at the previous sample. */
    private record Counts(long nanos, long requests, long errors, long received, long sent, long time) {}

    private final MonitorSource source;
    private final Clock clock;
    private final ProcFiles proc;
    private final LoadAverage requests = new LoadAverage(1);
    private final LoadAverage errors = new LoadAverage(1);
    private final LoadAverage responseTime = new LoadAverage(1);
    private final Map<String, Long> sentBefore = new HashMap<>();
    private final Map<String, Long> completedBefore = new HashMap<>();
    private final Map<String, Double> peaks = new HashMap<>();
    private Counts before;
    private List<ProcFiles.CpuTime> cpusBefore;
    private volatile Readings latest = Readings.NONE;

    public Sampler(MonitorSource source, Clock clock, ProcFiles proc) {
        this.source = source;
        this.clock = clock;
        this.proc = proc;
        this.before = counts(source.virtualServers());
        this.cpusBefore = proc.cpus();
    }

    /** The latest readings; {@link Readings#NONE} before the first sample. */
    public Readings latest() {
        return latest;
    }

    /** Takes a sample; to be called once a second. */
    public void sample() {
        List<Facts.VirtualServer> servers = source.virtualServers();
        Counts now = counts(servers);
        double seconds = (now.nanos() - before.nanos()) / NANOS;
        if (seconds <= 0) {
            return;
        }
        long done = now.requests() - before.requests();
        requests.sample(done / seconds);
        errors.sample((now.errors() - before.errors()) / seconds);
        responseTime.sample(done == 0 ? 0 : (now.time() - before.time()) / NANOS / done);
        ProcFiles.Memory memory = proc.memory();
        latest = new Readings(
                proc.load(),
                (now.sent() - before.sent()) / seconds,
                (now.received() - before.received()) / seconds,
                averages(requests),
                averages(errors),
                averages(responseTime),
                memory.virtual(),
                memory.resident(),
                memory.machine() == 0 ? 0 : (double) memory.resident() / memory.machine(),
                cpus(),
                rates(servers, seconds),
                throughputs(seconds));
        before = now;
    }

    private Counts counts(List<Facts.VirtualServer> servers) {
        long count = 0;
        long failed = 0;
        long received = 0;
        long sent = 0;
        long time = 0;
        for (Facts.VirtualServer server : servers) {
            Facts.Requests r = server.requests();
            count += r.count();
            failed += r.byStatus().between(500, 599);
            received += r.bytesReceived();
            sent += r.bytesSent();
            time += r.nanos();
        }
        return new Counts(clock.nanos(), count, failed, received, sent, time);
    }

    private Map<String, Readings.Rate> rates(List<Facts.VirtualServer> servers, double seconds) {
        Map<String, Readings.Rate> rates = new HashMap<>();
        for (Facts.VirtualServer server : servers) {
            long sent = server.requests().bytesSent();
            Long earlier = sentBefore.put(server.id(), sent);
            double now = earlier == null ? 0 : (sent - earlier) / seconds;
            double peak = Math.max(now, peaks.getOrDefault(server.id(), 0.0));
            peaks.put(server.id(), peak);
            rates.put(server.id(), new Readings.Rate(now, peak));
        }
        sentBefore.keySet().retainAll(rates.keySet());
        peaks.keySet().retainAll(rates.keySet());
        return Map.copyOf(rates);
    }

    private Map<String, Double> throughputs(double seconds) {
        Map<String, Double> all = new HashMap<>();
        for (Facts.Pool pool : source.pools()) {
            Long earlier = completedBefore.put(pool.name(), pool.completed());
            all.put(pool.name(), earlier == null ? 0 : (pool.completed() - earlier) / seconds);
        }
        completedBefore.keySet().retainAll(all.keySet());
        return Map.copyOf(all);
    }

    private List<Readings.Cpu> cpus() {
        List<ProcFiles.CpuTime> now = proc.cpus();
        List<Readings.Cpu> shares = new ArrayList<>();
        for (int i = 0; i < now.size() && i < cpusBefore.size(); i++) {
            ProcFiles.CpuTime a = cpusBefore.get(i);
            ProcFiles.CpuTime b = now.get(i);
            double percent = 100.0 / Math.max(1, b.total() - a.total());
            shares.add(new Readings.Cpu(
                    b.number(),
                    (b.idle() - a.idle()) * percent,
                    (b.user() - a.user()) * percent,
                    (b.kernel() - a.kernel()) * percent));
        }
        cpusBefore = now;
        return List.copyOf(shares);
    }

    private static Averages averages(LoadAverage of) {
        return new Averages(of.oneMinute(), of.fiveMinutes(), of.fifteenMinutes());
    }
}
