package io.weir.proxy.program.run;

import io.weir.base.Counter;
import io.weir.base.Stats;
import org.jspecify.annotations.Nullable;

/** The counters of a performance bucket ({@code bucket=}). Shared; resolved by the first run that uses them. */
public final class BucketCounters {
    private final String bucket;
    private volatile @Nullable Resolved resolved;

    private record Resolved(Stats stats, Counter calls, Counter time, Counter dispatch) {}

    public BucketCounters(String bucket) {
        this.bucket = bucket;
    }

    /** Shows them before the first call. */
    void begin(Stats stats) {
        var _ = resolved(stats);
    }

    /** Counts a call and its duration. */
    void add(Stats stats, long nanos) {
        Resolved r = resolved(stats);
        r.calls().inc();
        r.time().add(nanos);
    }

    /** Adds the time that a call waited for its thread. */
    void dispatched(Stats stats, long nanos) {
        resolved(stats).dispatch().add(nanos);
    }

    private Resolved resolved(Stats stats) {
        Resolved r = resolved;
        if (r == null || r.stats() != stats) {
            r = new Resolved(
                    stats,
                    stats.counter(ProxyStats.BUCKET_INVOCATIONS, bucket),
                    stats.counter(ProxyStats.BUCKET_TIME, bucket),
                    stats.counter(ProxyStats.BUCKET_DISPATCH, bucket));
            resolved = r;
        }
        return r;
    }
}
