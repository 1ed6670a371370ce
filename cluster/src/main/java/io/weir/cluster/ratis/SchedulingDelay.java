package io.weir.cluster.ratis;

import java.util.concurrent.TimeUnit;

/**
 * The largest scheduling delay of this process in the last half minute, in slots of five seconds. It rises immediately
 * with a delay, and falls when the slot with the largest delay expires. Shared; its lock is held briefly. Lives as long
 * as its log.
 */
final class SchedulingDelay {
    static final long SLOT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final int SLOTS = 6;

    private final long[] worst = new long[SLOTS];
    private long slot = Long.MIN_VALUE / 2;

    /** Records by how much a task ran late. */
    synchronized void late(long now, long nanos) {
        forget(now);
        int i = Math.floorMod(slot, SLOTS);
        worst[i] = Math.max(worst[i], nanos);
    }

    /** The largest recent delay, in nanoseconds. */
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
