package io.weir.cluster.state.leases;

import io.weir.cluster.state.entry.Answer;
import org.jspecify.annotations.Nullable;

/** What leases are for, as their rules ask it while an entry is applied. */
public interface LeaseUses {
    /** Why this incarnation of a member can own no lease; null when it can. */
    @Nullable
    Answer unknownOwner(String owner, long incarnation);

    /** Why this lease is not for that owner now; null when it is. */
    @Nullable
    Answer notFor(String lease, String owner, long incarnation);

    /** A member's or a singleton's lease was acquired. */
    void acquired(LeaseState lease);

    /**
     * The lease that is a member's life was renewed.
     *
     * @param before the lease as it was
     */
    void renewed(String member, LeaseState before);

    /**
     * A lease ended, and nothing stands under it any more.
     *
     * @param before the lease as it was held
     */
    void ended(LeaseState before, String reason);
}
