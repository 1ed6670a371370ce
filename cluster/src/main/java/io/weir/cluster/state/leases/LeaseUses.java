package io.weir.cluster.state.leases;

import io.weir.cluster.state.entry.Answer;
import org.jspecify.annotations.Nullable;

/** Callbacks of the lease rules for the purposes of leases, while an entry is applied. */
public interface LeaseUses {
    /** Why this incarnation of a member cannot own leases; null if it can. */
    @Nullable
    Answer unknownOwner(String owner, long incarnation);

    /** Why this owner may not acquire the lease now; null if it may. */
    @Nullable
    Answer notFor(String lease, String owner, long incarnation);

    /** A member's or a singleton's lease was acquired. */
    void acquired(LeaseState lease);

    /**
     * A member lease was renewed.
     *
     * @param before the lease before the renewal
     */
    void renewed(String member, LeaseState before);

    /**
     * A lease ended, and everything that depends on it must be removed.
     *
     * @param before the lease before its end
     */
    void ended(LeaseState before, String reason);
}
