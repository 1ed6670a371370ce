package io.weir.kernel.connection;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Counts the connections that each client address holds; an IPv6 client is identified by its /64 prefix. Shared;
 * bounded by the connection limit, because an address without connections has no entry.
 */
final class Addresses {
    /** An IPv4 address, or the first half of an IPv6 address. */
    private record Key(long bits, boolean v6) {
        static Key of(InetAddress address) {
            byte[] bytes = address.getAddress();
            boolean v6 = !(address instanceof Inet4Address);
            long bits = 0;
            for (int i = 0; i < (v6 ? 8 : 4); i++) {
                bits = (bits << 8) | (bytes[i] & 0xff);
            }
            return new Key(bits, v6);
        }
    }

    private final ConcurrentMap<Key, Integer> held = new ConcurrentHashMap<>();

    /** Counts one more connection; returns false if the address already holds {@code most} connections. */
    boolean admit(InetAddress address, int most) {
        Key key = Key.of(address);
        int before = held.merge(key, 1, Integer::sum);
        if (before > most) {
            release(key);
            return false;
        }
        return true;
    }

    /** Number of connections that an address holds. */
    int held(InetAddress address) {
        return held.getOrDefault(Key.of(address), 0);
    }

    void released(InetAddress address) {
        release(Key.of(address));
    }

    private void release(Key key) {
        held.computeIfPresent(key, (_, n) -> n == 1 ? null : n - 1);
    }

    /** Number of addresses that hold connections. */
    int size() {
        return held.size();
    }
}
