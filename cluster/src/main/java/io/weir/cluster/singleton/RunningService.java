package io.weir.cluster.singleton;

import io.weir.cluster.lease.Held;
import io.weir.cluster.lease.LeaseTimes;
import io.weir.cluster.state.singletons.SingletonCommand;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * State of one activation in {@link SingletonLife}, from its lease's grant until its code has returned. Confined to the
 * member's loop.
 */
final class RunningService {
    final Activation activation;
    final Held held;
    final long began;
    long activateNanos;
    long deactivateBegan;
    boolean notBegunLogged;
    /** Reason to deactivate that arrived while {@code activate} was running. */
    @Nullable
    String pendingReason;

    /** The failure of an {@code activate} that timed out, until it is reported to the cluster. */
    SingletonCommand.@Nullable ActivationFailed failure;

    private boolean deactivating;

    RunningService(Activation activation, Held held, long began) {
        this.activation = activation;
        this.held = held;
        this.began = began;
    }

    /** Records the call of {@code deactivate}; its time is measured from the first attempt. */
    void deactivates(long now) {
        if (!deactivating) {
            deactivating = true;
            deactivateBegan = now;
        }
    }

    /**
     * How long its code may continue before the process is halted, if configured: until the whole time to live has
     * passed since the last confirmed renewal, because other members start at the earliest one margin later; but at
     * least the grace period after {@code deactivate} was called, which may be late because the process was paused.
     */
    Duration untilHalt(long now, LeaseTimes leases) {
        long toTheEnd = Math.min(0, held.deadline() - now) + leases.margin().toNanos();
        long ofTheGrace = leases.grace().toNanos() - (deactivating ? now - deactivateBegan : 0);
        return Duration.ofNanos(Math.max(0, Math.max(toTheEnd, ofTheGrace)));
    }
}
