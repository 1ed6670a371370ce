package io.weir.proxy.program.run;

import io.weir.base.Clock;
import io.weir.base.Stats;
import org.jspecify.annotations.Nullable;

/**
 * What one run adds to the performance buckets. Calls that name no bucket are only counted, and added at the end; the
 * clock is read for those that name one. Confined to the run's loop.
 */
final class RunProfile {
    private final Stats stats;
    private final Clock clock;
    private @Nullable PerformanceBucket unnamed;
    private int server;
    private int calls;
    private long used;
    private @Nullable PerformanceBucket awaited;
    private long awaitedSince;

    RunProfile(Stats stats, Clock clock) {
        this.stats = stats;
        this.clock = clock;
    }

    /**
     * A request begins.
     *
     * @param of the default bucket; null: nothing is counted
     * @param virtualServer the ordinal of its virtual server
     */
    void begin(@Nullable PerformanceBucket of, int virtualServer) {
        unnamed = of;
        server = virtualServer;
        calls = 0;
        used = 0;
        awaited = null;
    }

    /** The request has ended. */
    void end() {
        abandon();
        PerformanceBucket rest = unnamed;
        if (rest != null && calls > 0) {
            rest.called(stats, server, calls);
        }
        calls = 0;
    }

    /** A directive's function is called; returns when, for {@link #ran}. */
    long call(Directive directive) {
        PerformanceBucket bucket = directive.bucket();
        if (bucket == null) {
            calls++;
            return 0;
        }
        bucket.called(stats, server, 1);
        if ((used & bucket.bit()) == 0) {
            used |= bucket.bit();
            bucket.requested(stats, server);
        }
        return clock.nanos();
    }

    /** A function has returned; if it waits for its own decision, its time goes on until {@link #resume}. */
    void ran(Directive directive, long began, StepOutcome outcome) {
        PerformanceBucket bucket = directive.bucket();
        if (bucket == null) {
            return;
        }
        if (outcome == StepOutcome.WAITING) {
            awaited = bucket;
            awaitedSince = began;
        } else {
            bucket.spent(stats, server, clock.nanos() - began);
        }
    }

    /** An awaited function, or one that was in a pool, goes on; returns since when its time counts, for {@link #ran}. */
    long resume(Directive directive) {
        if (directive.bucket() == null) {
            return 0;
        }
        long since = awaited == null ? clock.nanos() : awaitedSince;
        awaited = null;
        return since;
    }

    /** Nobody waits any longer for the function that has not decided. */
    void abandon() {
        PerformanceBucket bucket = awaited;
        awaited = null;
        if (bucket != null) {
            bucket.spent(stats, server, clock.nanos() - awaitedSince);
        }
    }
}
