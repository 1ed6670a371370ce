package io.weir.proxy.program.run;

import io.weir.base.Counter;
import io.weir.base.Stats;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A performance bucket of a program ({@code define-perf-bucket}, {@code bucket=}): what is counted of the calls of the
 * functions that name it, for each virtual server. Shared; its counters are resolved once.
 */
public final class PerformanceBucket {
    private final int number;
    private final String name;
    private final String description;
    private final List<String> servers;
    private volatile @Nullable Resolved resolved;

    private record Resolved(Stats stats, List<Counts> counts) {}

    /**
     * The counters of a virtual server.
     *
     * @param requests null in the default bucket: all requests have calls in it
     * @param time null in the default bucket: it is the rest of all requests' time
     */
    private record Counts(
            @Nullable Counter requests,
            Counter calls,
            @Nullable Counter time,
            Counter dispatch) {}

    /**
     * A bucket.
     *
     * @param number its position in the program, below 64; the default bucket is 0
     * @param servers the names of the virtual servers by ordinal
     */
    PerformanceBucket(int number, String name, String description, List<String> servers) {
        this.number = number;
        this.name = name;
        this.description = description;
        this.servers = List.copyOf(servers);
    }

    public String name() {
        return name;
    }

    public String description() {
        return description;
    }

    /** Its bit in a set of buckets. */
    long bit() {
        return 1L << number;
    }

    /** Shows the counters before the first call. */
    void begin(Stats stats) {
        var _ = resolve(stats);
    }

    /** Counts calls that are made. */
    void called(Stats stats, int server, int calls) {
        of(stats, server).calls().add(calls);
    }

    /** Counts a request: at the first of its calls. */
    void requested(Stats stats, int server) {
        Counter requests = of(stats, server).requests();
        if (requests != null) {
            requests.inc();
        }
    }

    /** Adds time spent in a function. */
    void spent(Stats stats, int server, long nanos) {
        Counter time = of(stats, server).time();
        if (time != null) {
            time.add(nanos);
        }
    }

    /** Adds the time that a call waited for its thread. */
    void dispatched(Stats stats, int server, long nanos) {
        of(stats, server).dispatch().add(nanos);
    }

    private Counts of(Stats stats, int server) {
        return resolve(stats).counts().get(server);
    }

    private Resolved resolve(Stats stats) {
        Resolved r = resolved;
        if (r == null || r.stats() != stats) {
            r = new Resolved(stats, servers.stream().map(s -> counts(stats, s)).toList());
            resolved = r;
        }
        return r;
    }

    private Counts counts(Stats stats, String server) {
        boolean rest = number == 0;
        return new Counts(
                rest ? null : stats.counter(ProxyStats.BUCKET_REQUESTS, name, server),
                stats.counter(ProxyStats.BUCKET_INVOCATIONS, name, server),
                rest ? null : stats.counter(ProxyStats.BUCKET_TIME, name, server),
                stats.counter(ProxyStats.BUCKET_DISPATCH, name, server));
    }
}
