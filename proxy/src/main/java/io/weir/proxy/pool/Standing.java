package io.weir.proxy.pool;

/**
 * A server's state of health and why. Immutable; replaced whole.
 *
 * @param reason why it is so; empty where nothing ever failed
 * @param sinceMillis since when, epoch milliseconds
 * @param sinceNanos since when, by the monotonic clock
 * @param nanos how long it stays down; 0 in other states
 * @param byCheck a failed check took it out, so that only checks bring it back
 * @param downs how often in a row it was taken out: what doubles its time
 */
public record Standing(
        HealthState state, String reason, long sinceMillis, long sinceNanos, long nanos, boolean byCheck, int downs) {
    boolean expired(long now) {
        return !byCheck && now - sinceNanos >= nanos;
    }
}
