package io.weir.cluster.state.members;

import io.weir.cluster.state.leases.LeaseState;
import io.weir.cluster.state.leases.Leases;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Which members are alive, and on which singletons may be placed. Immutable if its maps are.
 *
 * @param tookOver index at which the log's leader took over: nothing is placed on a member whose lease was not renewed
 *     since
 */
public record Liveness(SortedMap<String, MemberState> members, SortedMap<String, LeaseState> leases, long tookOver) {
    /** All members that joined and were not removed, sorted by name. */
    public Set<String> names() {
        return members.keySet();
    }

    public @Nullable MemberState member(String name) {
        return members.get(name);
    }

    /** Whether the member, in its current incarnation, holds its member lease. */
    public boolean alive(String name) {
        MemberState m = members.get(name);
        LeaseState life = leases.get(Leases.ofMember(name));
        return m != null && life != null && life.heldBy(name, m.incarnation());
    }

    /**
     * Whether singletons may be placed on it: alive, renewed since the log's leader took over, not leaving, not a
     * witness.
     */
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
