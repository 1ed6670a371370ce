package io.weir.cluster.sim;

import io.weir.base.Fence;
import io.weir.cluster.lease.LeaseSafety;
import io.weir.cluster.lease.LeaseTimes;

/** A rule of leasing that is switched off, to see whether the simulation notices. */
enum Mutation implements LeaseSafety {
    NONE,
    /** Rule 2: what the leader believes of a renewal is not compared with the log's. */
    EXPIRY_WITHOUT_CONDITION,
    /** Rule 2: a new leader counts the time in which nobody led. */
    EXPIRY_COUNTS_LEADERLESS_TIME {
        @Override
        public long expiryCountsFrom(long renewalSeen, long leadingSince) {
            return renewalSeen;
        }
    },
    /** Rule 3: the holder counts from the answer. */
    DEADLINE_FROM_THE_ANSWER {
        @Override
        public long deadline(long sent, long answered, LeaseTimes times) {
            return answered + times.timeToLive().toNanos();
        }
    },
    /** Rule 3: the holder goes on until it is told. */
    NO_DEADLINE {
        @Override
        public boolean stopsAtDeadline() {
            return false;
        }
    },
    /** Rule 4: the acquisition is believed when the answer comes, whatever the log has said since. */
    ACTIVATED_BEFORE_APPLIED {
        @Override
        public boolean activatesOnlyWhenApplied() {
            return false;
        }
    },
    /** Rule 4: the acquisition is believed when it is sent. */
    ACTIVATED_WHEN_SENT {
        @Override
        public boolean activatesOnlyWhenApplied() {
            return false;
        }
    },
    /** Rule 5: the state takes any fence. */
    STATE_TAKES_ANY_FENCE,
    /** Rule 5: the member's own guard takes any fence. */
    GUARD_TAKES_ANY_FENCE {
        @Override
        public boolean accepts(Fence offered, Fence current) {
            return true;
        }
    }
}
