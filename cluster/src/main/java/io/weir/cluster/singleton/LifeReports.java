package io.weir.cluster.singleton;

import io.weir.base.Fence;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.cluster.stats.ClusterMessages;
import io.weir.cluster.stats.ClusterStats;
import org.jspecify.annotations.Nullable;

/** Counts and logs the events of one singleton on this member. Confined to the member's loop. */
final class LifeReports {
    private final String name;
    private final Stats stats;
    private final Log log;

    LifeReports(String name, Stats stats, Log log) {
        this.name = name;
        this.stats = stats;
        this.log = log;
    }

    /** @param visible whether it started or stopped running on this member, which is logged for operators */
    void step(boolean visible, SingletonStage before, SingletonStage next, Fence fence, String reason) {
        log.log(
                visible ? ClusterMessages.SINGLETON : ClusterMessages.SINGLETON_STEP,
                name,
                before,
                next,
                fence,
                reason);
    }

    void activated(long nanos) {
        stats.histogram(ClusterStats.ACTIVATION_TIME).record(nanos);
        count("activated");
    }

    void activationFailed(Throwable fault) {
        log.log(ClusterMessages.ACTIVATION_FAILED, name, fault);
        failed(fault instanceof ServiceFault ? "no-class" : "threw");
    }

    void activationTimedOut() {
        failed("time-out");
    }

    private void failed(String reason) {
        stats.counter(ClusterStats.ACTIVATION_FAILURES, reason).inc();
        count("failed");
    }

    /** @param how the outcome of the activation after its time-out */
    void late(Fence fence, String how) {
        log.log(ClusterMessages.ACTIVATION_LATE, name, fence, how);
    }

    void deactivated(long nanos, @Nullable Throwable fault) {
        stats.histogram(ClusterStats.DEACTIVATION_TIME).record(nanos);
        if (fault != null) {
            log.log(ClusterMessages.DEACTIVATION_FAILED, name, fault);
        }
        count("deactivated");
    }

    /** @param first whether it is the first time for this activation; only that is logged */
    void notBegun(boolean first, Throwable why) {
        count("not-begun");
        if (first) {
            log.log(ClusterMessages.NOT_BEGUN, "deactivate", name, why);
        }
    }

    /** Counted before the stage changes; logged by {@link #isolationLogged} after it. */
    void isolated() {
        count("isolated");
    }

    void isolationLogged(Fence fence, String reason) {
        log.log(ClusterMessages.ISOLATED, name, fence, reason);
    }

    void halting(Fence fence) {
        log.log(ClusterMessages.HALTING, name, fence);
    }

    private void count(String what) {
        stats.counter(ClusterStats.TRANSITIONS, what).inc();
    }
}
