package io.weir.cluster.singleton;

import io.weir.cluster.lease.Grant;
import io.weir.cluster.state.SingletonCommand;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Gives a lease up, after telling why where its activation failed; asked for again until it is known to be done. Confined to
 * the member's loop; lives for one leave-taking.
 */
final class Farewell {
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
    Farewell(Surroundings around, Grant grant, SingletonCommand.@Nullable ActivationFailed report, Runnable whenDone) {
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
        around.proposer().propose(first).whenComplete((answer, fault) -> {
            asked = false;
            if (fault == null) {
                report = null;
                step();
            }
        });
    }

    private void release() {
        CompletableFuture<Boolean> released = around.keeper().release(grant);
        released.whenComplete((was, fault) -> {
            asked = false;
            if (fault == null) {
                done = true;
                whenDone.run();
            }
        });
    }
}
