package io.weir.cluster.config;

import io.weir.base.Knob;
import java.time.Duration;

/**
 * The section {@code cluster.lease}. Values of 0 are derived from time-to-live; the methods return the effective
 * values. The same on all members. Immutable.
 */
public record LeaseConfig(
        @Knob(
                doc = "How long a lease lasts without a renewal. With a shorter time singletons of a dead member are"
                        + " active elsewhere sooner, but a live member that pauses for longer than this loses"
                        + " its singletons. Must be the same on all members."
                        + " Rule of thumb: three times the longest pause of a healthy member.",
                value = "9s",
                min = "500ms",
                max = "10m",
                watch = {"weir_lease_renewals_total", "weir_lease_expired_total"},
                knownAs = "HealthCheckIntervalMillis x HealthCheckPeriodsUntilFencing")
        Duration timeToLive,

        @Knob(
                doc = "How often a member renews all of its leases, in one command. 0 is a third of time-to-live."
                        + " More often survives more lost renewals and writes more. Rule of thumb: 0.",
                value = "0s",
                max = "5m",
                watch = "weir_lease_renewals_total",
                knownAs = "HealthCheckIntervalMillis")
        Duration renew,

        @Knob(
                doc = "How much the clocks of two members may drift apart within time-to-live: the holder takes its"
                        + " lease to end this much earlier, the others this much later. 0 is an eighteenth of"
                        + " time-to-live."
                        + " Rule of thumb: 0; more where clocks are not synchronised.",
                value = "0s",
                max = "1m",
                watch = "weir_cluster_fence_refused_total",
                knownAs = "FenceTimeout")
        Duration margin,

        @Knob(
                doc = "How long before the end of a lease that it cannot renew a member begins to deactivate its"
                        + " singletons. Must be longer than the slowest of them takes to deactivate. 0 is a sixth of"
                        + " time-to-live."
                        + " Rule of thumb: 0.",
                value = "0s",
                max = "5m",
                watch = {"weir_lease_renewals_total", "weir_singleton_deactivation_time_seconds"},
                knownAs = "FencingGracePeriodMillis")
        Duration grace,

        @Knob(
                doc = "How often leases are checked: by the leader for expired ones, by holders for their own. 0 is an"
                        + " eighteenth of time-to-live."
                        + " Rule of thumb: 0.",
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

    /** Maximum drift in nanoseconds between two clocks over a lease. */
    public long marginNanos() {
        return or(margin, 18);
    }

    /** Nanoseconds before its end at which a lease that cannot be renewed is treated as lost. */
    public long graceNanos() {
        return or(grace, 6);
    }

    /** Nanoseconds between two checks. */
    public long checkNanos() {
        return or(check, 18);
    }

    private long or(Duration given, int part) {
        return given.isZero() ? timeToLive.toNanos() / part : given.toNanos();
    }
}
