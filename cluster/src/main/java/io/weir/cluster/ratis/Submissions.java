package io.weir.cluster.ratis;

import io.weir.base.Clock;
import io.weir.base.Counter;
import io.weir.base.Histogram;
import io.weir.base.Stats;
import io.weir.cluster.log.LogFault;
import io.weir.cluster.stats.ClusterStats;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Counts commands by outcome and records their duration. Shared; lives as long as its log. */
final class Submissions {
    private final Clock clock;
    private final Counter committed;
    private final Counter notCommitted;
    private final Counter unknown;
    private final Counter busy;
    private final Histogram time;

    Submissions(Stats stats, Clock clock) {
        this.clock = clock;
        committed = stats.counter(ClusterStats.SUBMITTED, "committed");
        notCommitted = stats.counter(ClusterStats.SUBMITTED, "not-committed");
        unknown = stats.counter(ClusterStats.SUBMITTED, "unknown");
        busy = stats.counter(ClusterStats.SUBMITTED, "busy");
        time = stats.histogram(ClusterStats.SUBMIT_TIME);
    }

    CompletableFuture<byte[]> of(CompletableFuture<byte[]> submitted) {
        long begun = clock.nanos();
        return submitted.whenComplete((_, failure) -> completed(begun, failure));
    }

    /** Refuses a command because too many are waiting. */
    CompletableFuture<byte[]> busy() {
        busy.inc();
        return CompletableFuture.failedFuture(new LogFault(
                LogFault.Kind.NOT_COMMITTED,
                "the limit of commands waiting to be committed is reached (cluster.log.max-outstanding)"));
    }

    private void completed(long begun, @Nullable Throwable failure) {
        if (failure == null) {
            committed.inc();
            time.record(clock.nanos() - begun);
        } else if (failure instanceof LogFault fault && fault.kind() == LogFault.Kind.NOT_COMMITTED) {
            notCommitted.inc();
        } else {
            unknown.inc();
        }
    }
}
