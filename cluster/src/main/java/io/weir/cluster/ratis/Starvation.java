package io.weir.cluster.ratis;

import java.util.concurrent.TimeUnit;

/**
 * How late this process gets a processor: the latest of the last half minute, in slots of five seconds. What is late makes it
 * rise at once; it falls when a slot is over that was the worst. Shared; its lock is held briefly. Lives as long as its log.
 */
final class Starvation {
    static final long SLOT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final int SLOTS = 6;

    private final long[] worst = new long[SLOTS];
    private long slot = Long.MIN_VALUE / 2;

    /** Something ran so much later than it was to. */
    synchronized void late(long now, long nanos) {
        forget(now);
        int i = Math.floorMod(slot, SLOTS);
        worst[i] = Math.max(worst[i], nanos);
    }

    /** The latest of late, in nanoseconds. */
    synchronized long worst(long now) {
        forget(now);
        long most = 0;
        for (long w : worst) {
            most = Math.max(most, w);
        }
        return most;
    }

    private void forget(long now) {
        long current = Math.floorDiv(now, SLOT_NANOS);
        for (long s = Math.max(slot + 1, current - SLOTS + 1); s <= current; s++) {
            worst[Math.floorMod(s, SLOTS)] = 0;
        }
        slot = Math.max(slot, current);
    }
}
