package io.weir.cluster.lease;

import io.weir.base.Fence;

/**
 * The safety rules of leasing, each a separate method, so that a test can break one and verify that its checker detects
 * it. Production uses {@link #SAFE}; no setting changes them. Immutable. Source: the four known failure modes of other
 * products.
 */
public interface LeaseSafety {
    /** All rules are kept. */
    LeaseSafety SAFE = new LeaseSafety() {};

    /**
     * Rule 2: a leader measures from the later of the last renewal it applied and its election, so that a leader change
     * expires no lease.
     *
     * @return time on the leader's clock, in nanoseconds, from which the time to live is measured
     */
    default long expiryCountsFrom(long renewalSeen, long leadingSince) {
        return renewalSeen - leadingSince > 0 ? renewalSeen : leadingSince;
    }

    /**
     * Rule 3: the holder measures from when the renewal was sent, not from when its answer arrived.
     *
     * @return time on the holder's clock, in nanoseconds, at which the lease ends for it
     */
    default long deadline(long sent, long answered, LeaseTimes times) {
        return sent + times.ttlNanos() - times.marginNanos();
    }

    /** Rule 3: a holder does no work after its deadline. False only in a test that breaks the rule. */
    default boolean stopsAtDeadline() {
        return true;
    }

    /** Rule 4: a service is activated only once its acquisition was committed and applied here. */
    default boolean activatesOnlyWhenApplied() {
        return true;
    }

    /** Rule 5: a side effect is accepted only with the current fence of its lease. */
    default boolean accepts(Fence offered, Fence current) {
        return offered.equals(current);
    }
}
