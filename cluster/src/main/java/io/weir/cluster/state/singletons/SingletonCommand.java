package io.weir.cluster.state.singletons;

import io.weir.base.Fence;
import io.weir.cluster.state.entry.Command;
import io.weir.cluster.state.entry.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * Commands about singleton services. Where a version is named it is {@link SingletonState#version()} as the proposer saw it,
 * and the command is refused with {@link Refusal#CHANGED} when it is another.
 */
public sealed interface SingletonCommand extends Command {
    /** A singleton of the configuration. The same again changes nothing; another specification under its name replaces it. */
    record Define(SingletonSpec spec) implements SingletonCommand {}

    /** Gone from the configuration: its owner deactivates it. */
    record Undefine(String name) implements SingletonCommand {}

    /**
     * An operator has it forgotten: its owner, where there is one, deactivates it. Refused with {@link Refusal#CONFIGURED} while
     * a deployment has it, or the configuration of a member that is alive.
     */
    record Forget(String name, String reason) implements SingletonCommand {}

    /** {@code activate} returned. Refused unless the lease is held with this fence. */
    record Activated(String name, Fence fence, long nanos) implements SingletonCommand {}

    /**
     * {@code activate} failed and nothing of it runs any more (or it is cut off): gives the lease up with that. The next
     * member is chosen.
     */
    record ActivationFailed(String name, Fence fence, String reason) implements SingletonCommand {}

    /** The member it was placed on did not take the lease in time: counts as failed there. Proposed by the leader. */
    record NotTaken(String name, long version) implements SingletonCommand {}

    /** The pause between two circuits has passed. Proposed by the leader. */
    record RetryNow(String name, long version) implements SingletonCommand {}

    /**
     * The preferred server has been there for the delay. Proposed by the leader.
     *
     * @param preferred fence of the preferred server's lease {@code member/NAME} as the proposer saw it: had it been away
     *     meanwhile, it would be another
     */
    record FailBack(String name, long version, Fence preferred) implements SingletonCommand {}

    /**
     * An operator moves it.
     *
     * @param to where; null: wherever else it may run
     * @param holds whether it stays there until its preferred server comes up again; not so in logs of earlier versions, where
     *     it failed back at once
     */
    record Migrate(String name, @Nullable String to, String reason, boolean holds) implements SingletonCommand {
        /** As it is proposed now. */
        public Migrate(String name, @Nullable String to, String reason) {
            this(name, to, reason, true);
        }
    }

    /** An operator stops it, until resumed. */
    record Pause(String name, String reason) implements SingletonCommand {}

    /** An operator lets it run again: after a pause, after it failed, or instead of waiting. */
    record Resume(String name, String reason) implements SingletonCommand {}
}
