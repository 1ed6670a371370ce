package io.weir.cluster.lease;

import io.weir.base.Durations;
import io.weir.cluster.config.LeaseConfig;
import java.time.Duration;

/**
 * The times of leasing. Immutable.
 *
 * @param timeToLive from the sending of a renewal to the end of the lease
 * @param renew from one renewal to the next
 * @param margin how much earlier the holder's side considers the lease ended, and how much later the leader's side does:
 *     what two monotonic clocks may drift apart within a lease
 * @param grace how long before the end the holder is notified if renewals fail
 * @param check interval at which both sides check
 */
public record LeaseTimes(Duration timeToLive, Duration renew, Duration margin, Duration grace, Duration check) {
    public LeaseTimes {
        if (renew.multipliedBy(2).compareTo(timeToLive.minus(grace)) > 0) {
            throw new IllegalArgumentException("two renewals (" + Durations.spoken(renew)
                    + " each) must fit in the time to live (" + Durations.spoken(timeToLive) + ") less the grace ("
                    + Durations.spoken(grace) + "), so that one may be lost");
        }
        if (margin.compareTo(grace) >= 0 || check.isZero() || check.isNegative() || margin.isNegative()) {
            throw new IllegalArgumentException("the margin (" + Durations.spoken(margin)
                    + ") must be shorter than the grace (" + Durations.spoken(grace) + ") and the check ("
                    + Durations.spoken(check) + ") must be positive");
        }
    }

    /** From the section {@code cluster.lease}. */
    public static LeaseTimes of(LeaseConfig config) {
        return new LeaseTimes(
                config.timeToLive(),
                Duration.ofNanos(config.renewNanos()),
                Duration.ofNanos(config.marginNanos()),
                Duration.ofNanos(config.graceNanos()),
                Duration.ofNanos(config.checkNanos()));
    }

    /** The defaults derived from a time to live. */
    public static LeaseTimes of(Duration timeToLive) {
        return of(new LeaseConfig(timeToLive, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO));
    }

    long ttlNanos() {
        return timeToLive.toNanos();
    }

    long marginNanos() {
        return margin.toNanos();
    }

    long graceNanos() {
        return grace.toNanos();
    }

    long renewNanos() {
        return renew.toNanos();
    }

    long checkNanos() {
        return check.toNanos();
    }
}
