package io.weir.cluster.singleton;

import io.weir.cluster.lease.FutureOutcome;
import io.weir.cluster.lease.Grant;
import io.weir.cluster.state.singletons.SingletonCommand;
import io.weir.cluster.stats.ClusterMessages;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Gives a lease up, after telling why where its activation failed; asked for again until it is known to be done. Confined to
 * the member's loop; lives for one leave-taking.
 */
final class LeaseReturn {
    private final Surroundings around;
    private final Grant grant;
    private final Runnable whenDone;
    private SingletonCommand.@Nullable ActivationFailed report;
    private boolean asked;
    private boolean done;

    /**
     * For one lease.
     *
     * @param report why it could not be activated; null when that is not the reason
     */
    LeaseReturn(
            Surroundings around, Grant grant, SingletonCommand.@Nullable ActivationFailed report, Runnable whenDone) {
        this.around = around;
        this.grant = grant;
        this.report = report;
        this.whenDone = whenDone;
    }

    Grant grant() {
        return grant;
    }

    boolean done() {
        return done;
    }

    /** Asks, unless it was done, or an answer is awaited. */
    void step() {
        if (!asked && !done) {
            asked = true;
            SingletonCommand.ActivationFailed first = report;
            if (first != null) {
                report(first);
            } else {
                release();
            }
        }
    }

    private void report(SingletonCommand.ActivationFailed first) {
        FutureOutcome.of(
                around.proposer().propose(first),
                around.log(),
                _ -> {
                    asked = false;
                    report = null;
                    step();
                },
                this::failed);
    }

    private void release() {
        CompletableFuture<Boolean> released = around.renewer().release(grant);
        FutureOutcome.of(
                released,
                around.log(),
                _ -> {
                    asked = false;
                    done = true;
                    whenDone.run();
                },
                this::failed);
    }

    private void failed(Throwable fault) {
        asked = false;
        around.log().log(ClusterMessages.NOT_PROPOSED, "the end of " + grant, fault);
    }
}
