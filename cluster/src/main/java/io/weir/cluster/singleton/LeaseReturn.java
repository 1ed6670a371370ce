package io.weir.cluster.singleton;

import io.weir.cluster.lease.FutureOutcome;
import io.weir.cluster.lease.Grant;
import io.weir.cluster.state.singletons.SingletonCommand;
import io.weir.cluster.stats.ClusterMessages;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Releases a lease, first reporting the reason if its activation failed; retried until confirmed. Confined to the
 * member's loop; lives for one release.
 */
final class LeaseReturn {
    private final SingletonParts around;
    private final Grant grant;
    private final Runnable whenDone;
    private SingletonCommand.@Nullable ActivationFailed report;
    private boolean inFlight;
    private boolean done;

    /**
     * Creates the release of one lease.
     *
     * @param report the failure of the activation; null if it did not fail
     */
    LeaseReturn(
            SingletonParts around, Grant grant, SingletonCommand.@Nullable ActivationFailed report, Runnable whenDone) {
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

    /** Sends the next request, unless finished or awaiting an answer. */
    void step() {
        if (!inFlight && !done) {
            inFlight = true;
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
                    inFlight = false;
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
                    inFlight = false;
                    done = true;
                    whenDone.run();
                },
                this::failed);
    }

    private void failed(Throwable fault) {
        inFlight = false;
        around.log().log(ClusterMessages.NOT_PROPOSED, "the end of " + grant, fault);
    }
}
