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
     * A process begins as this member. A new incarnation on the same storage ends what the former held at once (the
     * storage is locked, so that one is dead); on other storage it is refused with {@link Refusal#NAME_TAKEN} as long
     * as the lease {@code member/NAME} is held. The member then acquires {@code member/NAME}, and is alive.
     */
    record Join(String member, long incarnation, String storage, String address, boolean witness)
            implements MemberCommand {}

    /** It shuts down in order: its singletons move; once they have gone it releases {@code member/NAME}. */
    record Leave(String member, long incarnation) implements MemberCommand {}

    /** An operator takes a member that is not alive out of the cluster. */
    record Remove(String member, String reason) implements MemberCommand {
        public Remove(String member) {
            this(member, "");
        }
    }

    /**
     * What the configuration of a member has, in this life of it: it cannot be removed while the member is alive. Sent
     * once after each start, when all of it was defined.
     */
    record Configures(String member, long incarnation, SortedSet<String> singletons, SortedSet<String> timers)
            implements MemberCommand {
        public Configures {
            singletons = Collections.unmodifiableSortedSet(new TreeSet<>(singletons));
            timers = Collections.unmodifiableSortedSet(new TreeSet<>(timers));
        }
    }

    /**
     * A new leader of the log says so, as its first command. Until a member's lease was renewed after that, nothing is
     * placed on it. Not proposed where leases are a database's.
     *
     * @param booting its process is younger than the initial boot delay: placement waits for {@link BootDelayOver},
     * unless a     member from before renews, which shows that the cluster was running
     */
    record TookOver(String member, long term, boolean booting) implements MemberCommand {}

    /**
     * The initial boot delay has passed, or all configured members are there. Version of {@link ClusterState#boot()}.
     */
    record BootDelayOver(long version) implements MemberCommand {}

    /**
     * The basis of leasing changed: every later fence is higher. Refused unless it rises ({@link Refusal#CHANGED}), and
     * while any lease but members' lives is held ({@link Refusal#BUSY}): a running cluster's epoch stays.
     */
    record RaiseEpoch(long epoch) implements MemberCommand {}
}
