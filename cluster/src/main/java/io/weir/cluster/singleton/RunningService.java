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
    /** Why it is to be let go, where that was heard while {@code activate} ran. */
    @Nullable
    String letGo;

    /** The failure of an {@code activate} that timed out, while it is not yet reported to the cluster. */
    SingletonCommand.@Nullable ActivationFailed failure;

    private boolean deactivating;

    RunningService(Activation activation, Held held, long began) {
        this.activation = activation;
        this.held = held;
        this.began = began;
    }

    /** Its {@code deactivate} is called, or tried to be: its time counts from the first attempt. */
    void deactivates(long now) {
        if (!deactivating) {
            deactivating = true;
            deactivateBegan = now;
        }
    }

    /**
     * How long its code may run on where the process is to be halted for it: until its whole time to live has passed
     * since the last renewal that was confirmed, since others begin a margin later at the earliest; but no less than
     * the grace after {@code deactivate} was called, where that was late because the process was stopped.
     */
    Duration untilHalt(long now, LeaseTimes leases) {
        long toTheEnd = Math.min(0, held.deadline() - now) + leases.margin().toNanos();
        long ofTheGrace = leases.grace().toNanos() - (deactivating ? now - deactivateBegan : 0);
        return Duration.ofNanos(Math.max(0, Math.max(toTheEnd, ofTheGrace)));
    }
}
