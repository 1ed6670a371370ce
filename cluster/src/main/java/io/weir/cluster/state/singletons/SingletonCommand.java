package io.weir.cluster.state.singletons;

import io.weir.base.Fence;
import io.weir.cluster.state.entry.Command;
import io.weir.cluster.state.entry.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * Commands about singleton services. A version is the {@link SingletonState#version()} that the proposer saw; the
 * command is refused with {@link Refusal#CHANGED} if it has changed.
 */
public sealed interface SingletonCommand extends Command {
    /** Defines a singleton of the configuration. Idempotent; another specification with the same name replaces it. */
    record Define(SingletonSpec spec) implements SingletonCommand {}

    /** It was removed from the configuration: its owner deactivates it. */
    record Undefine(String name) implements SingletonCommand {}

    /**
     * An operator removes it: its owner, if any, deactivates it. Refused with {@link Refusal#CONFIGURED} while it is
     * defined in a deployment or in the configuration of a live member.
     */
    record Forget(String name, String reason) implements SingletonCommand {}

    /** {@code activate} returned. Refused unless the lease is held with this fence. */
    record Activated(String name, Fence fence, long nanos) implements SingletonCommand {}

    /**
     * {@code activate} failed and its code no longer runs (or is isolated): releases the lease, and the next member is
     * chosen.
     */
    record ActivationFailed(String name, Fence fence, String reason) implements SingletonCommand {}

    /**
     * The member on which it was placed did not acquire the lease in time: counts as a failure there. Proposed by the
     * leader.
     */
    record NotTaken(String name, long version) implements SingletonCommand {}

    /** The pause between two circuits has passed. Proposed by the leader. */
    record RetryNow(String name, long version) implements SingletonCommand {}

    /**
     * The preferred server has been up for the delay. Proposed by the leader.
     *
     * @param preferred fence of the preferred server's lease {@code member/NAME} that the proposer saw; it differs if
     *     the server was down in between
     */
    record FailBack(String name, long version, Fence preferred) implements SingletonCommand {}

    /**
     * An operator moves it.
     *
     * @param to the target member; null for any other candidate
     * @param holds whether it stays there until its preferred server has been restarted; false in logs of earlier
     *     versions, where it failed back immediately
     */
    record Migrate(String name, @Nullable String to, String reason, boolean holds) implements SingletonCommand {
        /** The current form of the command. */
        public Migrate(String name, @Nullable String to, String reason) {
            this(name, to, reason, true);
        }
    }

    /** An operator stops it until it is resumed. */
    record Pause(String name, String reason) implements SingletonCommand {}

    /** An operator restarts it: after a pause, after a failure, or instead of waiting. */
    record Resume(String name, String reason) implements SingletonCommand {}
}
