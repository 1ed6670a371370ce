package io.weir.cluster.lease;

import io.weir.base.Fence;

/**
 * The rules on which "one holder" rests, each on its own, so that a test can break one and see its checker find it.
 * Production runs {@link #SAFE}; no setting changes them. Immutable. Source: the four ways in which other products failed.
 */
public interface LeaseSafety {
    /** All of them kept. */
    LeaseSafety SAFE = new LeaseSafety() {};

    /**
     * Rule 2: a leader measures from the later of the last renewal it applied and its own election, so that a change of
     * leader ends no lease.
     *
     * @return nanoseconds of its clock from which the time to live counts
     */
    default long expiryCountsFrom(long renewalSeen, long leadingSince) {
        return renewalSeen - leadingSince > 0 ? renewalSeen : leadingSince;
    }

    /**
     * Rule 3: the holder's time counts from the moment the renewal was sent, not from its answer's arrival.
     *
     * @return nanoseconds of the holder's clock at which the lease is over for it
     */
    default long deadline(long sent, long answered, LeaseTimes times) {
        return sent + times.ttlNanos() - times.marginNanos();
    }

    /** Rule 3: a holder past its deadline does no work. False only in a test that breaks it. */
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
