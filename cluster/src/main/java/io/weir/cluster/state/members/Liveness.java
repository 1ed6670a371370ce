package io.weir.cluster.state.members;

import io.weir.cluster.state.leases.LeaseState;
import io.weir.cluster.state.leases.Leases;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Which members are alive, and on which something may be placed. Immutable where its maps are.
 *
 * @param tookOver index at which the log's leader took over: a member that was not renewed since is given nothing
 */
public record Liveness(SortedMap<String, MemberState> members, SortedMap<String, LeaseState> leases, long tookOver) {
    /** All that joined and were not removed, in the order of their names. */
    public Set<String> names() {
        return members.keySet();
    }

    public @Nullable MemberState member(String name) {
        return members.get(name);
    }

    /** Whether the member, in its present incarnation, holds the lease that is its life. */
    public boolean alive(String name) {
        MemberState m = members.get(name);
        LeaseState life = leases.get(Leases.ofMember(name));
        return m != null && life != null && life.heldBy(name, m.incarnation());
    }

    /** Whether something may be placed on it: alive, seen since the log's leader took over, not leaving, no witness. */
    public boolean eligible(String name) {
        MemberState m = members.get(name);
        LeaseState life = leases.get(Leases.ofMember(name));
        return m != null
                && life != null
                && life.heldBy(name, m.incarnation())
                && life.renewal() >= tookOver
                && !m.leaving()
                && !m.witness();
    }
}
