package io.weir.proxy.pool;

/**
 * A server's health state and its reason. Immutable; replaced as a whole.
 *
 * @param reason of the state; empty if nothing ever failed
 * @param sinceMillis since when, epoch milliseconds
 * @param sinceNanos since when, by the monotonic clock
 * @param nanos how long it stays down; 0 in other states
 * @param byCheck a failed check marked it down, so that only checks mark it up again
 * @param downs how often in a row it was marked down, which doubles the time
 */
public record Standing(
        HealthState state, String reason, long sinceMillis, long sinceNanos, long nanos, boolean byCheck, int downs) {
    boolean expired(long now) {
        return !byCheck && now - sinceNanos >= nanos;
    }
}
