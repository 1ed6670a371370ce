package io.weir.proxy.program.match;

import org.jspecify.annotations.Nullable;

/**
 * Values by host: a name, {@code *.suffix}, or any host. Look-ups take bytes in any case, allocate nothing, and cost
 * one probe per label. Written while a configuration is compiled, immutable afterwards.
 */
public final class HostTable<V> {
    private final ByteTable<V> names = new ByteTable<>();
    // keyed by the suffix without "*."
    private final ByteTable<V> suffixes = new ByteTable<>();
    private @Nullable V any;

    /** Adds a value for {@code name}, {@code *.suffix} or {@code *}, unless there is one already. */
    public void putIfAbsent(String pattern, V value) {
        if (pattern.equals("*")) {
            if (any == null) {
                any = value;
            }
            return;
        }
        boolean suffix = pattern.startsWith("*.");
        ByteTable<V> table = suffix ? suffixes : names;
        byte[] key = ByteTable.lower(suffix ? pattern.substring(2) : pattern);
        if (table.get(key, 0, key.length) == null) {
            table.put(key, value);
        }
    }

    void any(V value) {
        any = value;
    }

    @Nullable
    V exact(byte[] host, int from, int to) {
        return names.get(host, from, to);
    }

    @Nullable
    V any() {
        return any;
    }

    /** The most specific value: name, longest suffix, any. */
    @Nullable
    public V find(byte[] host, int from, int to) {
        V found = names.get(host, from, to);
        if (found != null) {
            return found;
        }
        if (!suffixes.isEmpty()) {
            for (int i = from; i < to; i++) {
                if (host[i] == '.') {
                    found = suffixes.get(host, i + 1, to);
                    if (found != null) {
                        return found;
                    }
                }
            }
        }
        return any;
    }

    boolean hasNames() {
        return !names.isEmpty();
    }

    boolean hasSuffixes() {
        return !suffixes.isEmpty();
    }

    /** The value for exactly {@code *.} and the bytes {@code [from, to)}. */
    @Nullable
    V suffix(byte[] host, int from, int to) {
        return suffixes.get(host, from, to);
    }
}
