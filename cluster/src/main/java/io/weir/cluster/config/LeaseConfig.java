package io.weir.cluster.config;

import io.weir.base.Knob;
import java.time.Duration;

/**
 * The section {@code cluster.lease}. What is 0 follows time-to-live; the methods give what holds. The same on all
 * members. Immutable.
 */
public record LeaseConfig(
        @Knob(
                doc =
                        "How long a lease lasts without a renewal. Shorter means that singletons of a dead member are active"
                                + " elsewhere sooner; a pause of a live member that is longer than this costs it its singletons."
                                + " The same on all members.",
                value = "9s",
                min = "500ms",
                max = "10m",
                watch = {"weir_lease_renewals_total", "weir_lease_expired_total"},
                knownAs = "HealthCheckIntervalMillis x HealthCheckPeriodsUntilFencing")
        Duration timeToLive,

        @Knob(
                doc = "How often a member renews all of its leases, in one command. 0 is a third of time-to-live.",
                value = "0s",
                max = "5m",
                watch = "weir_lease_renewals_total",
                knownAs = "HealthCheckIntervalMillis")
        Duration renew,

        @Knob(
                doc = "How much the clocks of two members may go apart within time-to-live: the holder reckons with so"
                        + " much less, the others with so much more. 0 is an eighteenth of time-to-live.",
                value = "0s",
                max = "1m",
                watch = "weir_cluster_fence_refused_total",
                knownAs = "FenceTimeout")
        Duration margin,

        @Knob(
                doc = "How long before the end of a lease that it cannot renew a member begins to deactivate its"
                        + " singletons: more than the slowest of them takes for it. 0 is a sixth of time-to-live.",
                value = "0s",
                max = "5m",
                watch = {"weir_lease_renewals_total", "weir_singleton_deactivation_time"},
                knownAs = "FencingGracePeriodMillis")
        Duration grace,

        @Knob(
                doc = "How often leases are looked at: the leader's for those that ran out, the holder's for its own."
                        + " 0 is an eighteenth of time-to-live.",
                value = "0s",
                max = "1m",
                watch = "weir_lease_expired_total")
        Duration check) {

    /** Nanoseconds that a lease lasts. */
    public long timeToLiveNanos() {
        return timeToLive.toNanos();
    }

    /** Nanoseconds between two renewals. */
    public long renewNanos() {
        return or(renew, 3);
    }

    /** Nanoseconds by which two clocks may differ over a lease. */
    public long marginNanos() {
        return or(margin, 18);
    }

    /** Nanoseconds before its end at which a lease that cannot be renewed is treated as lost. */
    public long graceNanos() {
        return or(grace, 6);
    }

    /** Nanoseconds between two looks. */
    public long checkNanos() {
        return or(check, 18);
    }

    private long or(Duration given, int part) {
        return given.isZero() ? timeToLive.toNanos() / part : given.toNanos();
    }
}
