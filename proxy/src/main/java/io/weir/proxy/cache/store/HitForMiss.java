package io.weir.proxy.cache.store;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Keys whose answers may not be stored (hit-for-miss), so that requests for them do not wait for each other. A
 * fixed-size table: an entry expires after its time, and in a full pair the older one is replaced. Shared, without
 * locks; a lost entry costs one collapse, no more.
 */
public final class HitForMiss {
    private static final long SECONDS = 0xFFFFFF;

    // per slot: 40 bits of the hash, 24 bits of the second at which it expires
    private final AtomicLongArray places;
    private final long startMillis;

    HitForMiss(int size, long startMillis) {
        this.places = new AtomicLongArray(size);
        this.startMillis = startMillis;
    }

    static long heapBytes(int size) {
        return size * 8L + 64;
    }

    public void add(long hash, long nowMillis, long forMillis) {
        if (forMillis <= 0) {
            return;
        }
        long until = seconds(nowMillis + forMillis + 999);
        int at = place(hash);
        int other = at ^ 1;
        long mine = print(hash) | until;
        boolean second = (places.get(at) & ~SECONDS) != print(hash)
                && left(places.get(other), nowMillis) < left(places.get(at), nowMillis);
        places.set(second ? other : at, mine);
    }

    public boolean has(long hash, long nowMillis) {
        int at = place(hash);
        return is(places.get(at), hash, nowMillis) || is(places.get(at ^ 1), hash, nowMillis);
    }

    public void remove(long hash) {
        int at = place(hash);
        clear(at, hash);
        clear(at ^ 1, hash);
    }

    private void clear(int at, long hash) {
        long value = places.get(at);
        if ((value & ~SECONDS) == print(hash)) {
            places.compareAndSet(at, value, 0);
        }
    }

    private boolean is(long value, long hash, long nowMillis) {
        return (value & ~SECONDS) == print(hash) && left(value, nowMillis) > 0;
    }

    /** Seconds left, 0 for none. Seconds wrap: a value more than half the range ahead is past. */
    private long left(long value, long nowMillis) {
        long ahead = ((value & SECONDS) - seconds(nowMillis)) & SECONDS;
        return value == 0 || ahead > SECONDS / 2 ? 0 : ahead;
    }

    private long seconds(long millis) {
        return Math.max(0, millis - startMillis) / 1000 & SECONDS;
    }

    private int place(long hash) {
        return (int) hash & (places.length() - 1);
    }

    private static long print(long hash) {
        return hash & ~SECONDS;
    }
}
