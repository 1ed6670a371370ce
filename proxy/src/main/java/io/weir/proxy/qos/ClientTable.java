package io.weir.proxy.qos;

import io.weir.base.Chance;
import io.weir.base.Counter;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The tracked client addresses, an IPv6 address by its /64. Its size is fixed: sets of eight, selected by a hash with a
 * secret seed. An entry is evicted only if a new one would be in the same state, so that floods from other clients do
 * not lift a limit; if a set is full, its further clients share one entry, and are counted. Shared by the muxers,
 * lock-free.
 */
final class ClientTable {
    private static final int WAYS = 8;

    private final AtomicReferenceArray<ClientUsage> entries;
    private final AtomicReferenceArray<ClientUsage> overflowEntries;
    private final int sets;
    private final long seed;
    private final Counter overflows;
    private final Counter pauses;
    private volatile long rate;

    ClientTable(int size, Chance chance, Counter overflows, Counter pauses) {
        this.sets = Integer.highestOneBit(Math.max(1, size / WAYS));
        this.entries = new AtomicReferenceArray<>(sets * WAYS);
        this.overflowEntries = new AtomicReferenceArray<>(sets);
        this.seed = chance.random().nextLong() | 1;
        this.overflows = overflows;
        this.pauses = pauses;
    }

    /** Bytes a second to each client; 0 for no bound. */
    void rate(long bytes) {
        rate = bytes;
        for (int i = 0; i < entries.length(); i++) {
            ClientUsage c = entries.get(i);
            if (c != null) {
                c.bandwidth().rate(bytes);
            }
        }
    }

    /** The entry of a client, whose connection it counts; must be released with {@link ClientUsage#closed}. */
    ClientUsage of(InetAddress address, long now) {
        byte[] bytes = address.getAddress();
        boolean v6 = address instanceof Inet6Address;
        long key = 0;
        for (int i = 0; i < Math.min(8, bytes.length); i++) {
            key = key << 8 | (bytes[i] & 0xff);
        }
        long hash = (key ^ seed) * 0x9e3779b97f4a7c15L;
        hash = (hash ^ hash >>> 29 ^ seed >>> 7) * 0xbf58476d1ce4e5b9L;
        int set = (int) (hash >>> 33) & (sets - 1);
        ClientUsage found = find(set, key, v6, now);
        found.opened();
        return found;
    }

    private ClientUsage find(int set, long key, boolean v6, long now) {
        for (int i = set * WAYS; i < set * WAYS + WAYS; i++) {
            ClientUsage c = entries.get(i);
            if (c != null && c.is(key, v6)) {
                return c;
            }
        }
        ClientUsage fresh = new ClientUsage(key, v6, now, rate, pauses);
        for (int i = set * WAYS; i < set * WAYS + WAYS; i++) {
            ClientUsage c = entries.get(i);
            if ((c == null || c.isIdle(now)) && entries.compareAndSet(i, c, fresh)) {
                return fresh;
            }
            ClientUsage there = entries.get(i);
            if (there != null && there.is(key, v6)) {
                return there;
            }
        }
        overflows.inc();
        return overflowEntry(set, now);
    }

    private ClientUsage overflowEntry(int set, long now) {
        ClientUsage overflowEntry = overflowEntries.get(set);
        if (overflowEntry == null) {
            ClientUsage fresh = new ClientUsage(0, false, now, rate, pauses);
            overflowEntry = overflowEntries.compareAndSet(set, null, fresh) ? fresh : overflowEntries.get(set);
        }
        return overflowEntry == null ? new ClientUsage(0, false, now, rate, pauses) : overflowEntry;
    }

    /** The clients that receive the most, by bytes in the latest whole second, then by total bytes. */
    List<UsageFigures> busiest(int atMost, long now) {
        Comparator<UsageFigures> order =
                Comparator.comparingLong(UsageFigures::byteRate).thenComparingLong(UsageFigures::bytes);
        PriorityQueue<UsageFigures> most = new PriorityQueue<>(order);
        for (int i = 0; i < entries.length(); i++) {
            ClientUsage c = entries.get(i);
            if (c != null) {
                most.add(c.use(now));
            }
            if (most.size() > atMost) {
                most.poll();
            }
        }
        return most.stream().sorted(order.reversed()).toList();
    }

    /** Number of tracked addresses. */
    long size() {
        long n = 0;
        for (int i = 0; i < entries.length(); i++) {
            n += entries.get(i) == null ? 0 : 1;
        }
        return n;
    }

    int capacity() {
        return entries.length();
    }
}
