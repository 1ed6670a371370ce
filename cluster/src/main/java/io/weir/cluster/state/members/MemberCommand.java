package io.weir.cluster.state.members;

import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.entry.Command;
import io.weir.cluster.state.entry.Refusal;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/** Commands about members and the cluster as a whole. */
public sealed interface MemberCommand extends Command {
    /**
     * A process starts as this member. A new incarnation on the same storage ends the leases of the former immediately
     * (the storage is locked, so that process is dead); on other storage it is refused with {@link Refusal#NAME_TAKEN}
     * while the lease {@code member/NAME} is held. The member then acquires {@code member/NAME}, and is alive.
     */
    record Join(String member, long incarnation, String storage, String address, boolean witness)
            implements MemberCommand {}

    /** A graceful shutdown: its singletons move; afterwards it releases {@code member/NAME}. */
    record Leave(String member, long incarnation) implements MemberCommand {}

    /** An operator removes a member that is not alive from the cluster. */
    record Remove(String member, String reason) implements MemberCommand {
        public Remove(String member) {
            this(member, "");
        }
    }

    /**
     * Reports the names defined in a member's configuration, in this incarnation: they cannot be removed while the
     * member is alive. Sent once after each start, when all of them were defined.
     */
    record Configures(String member, long incarnation, SortedSet<String> singletons, SortedSet<String> timers)
            implements MemberCommand {
        public Configures {
            singletons = Collections.unmodifiableSortedSet(new TreeSet<>(singletons));
            timers = Collections.unmodifiableSortedSet(new TreeSet<>(timers));
        }
    }

    /**
     * The first command of a new leader of the log. Nothing is placed on a member until its lease was renewed after
     * this entry. Not proposed with database leasing.
     *
     * @param booting whether its process is younger than the initial boot delay: placement waits for
     *     {@link BootDelayOver}, unless an earlier member renews, which shows that the cluster was running
     */
    record TookOver(String member, long term, boolean booting) implements MemberCommand {}

    /**
     * The initial boot delay has passed, or all configured members have joined. The version is that of
     * {@link ClusterState#boot()}.
     */
    record BootDelayOver(long version) implements MemberCommand {}

    /**
     * The leasing basis changed: every later fence is higher. Refused if the epoch does not rise ({@link
     * Refusal#CHANGED}), and while any lease other than member leases is held ({@link Refusal#BUSY}): the epoch of a
     * running cluster cannot change.
     */
    record RaiseEpoch(long epoch) implements MemberCommand {}
}
