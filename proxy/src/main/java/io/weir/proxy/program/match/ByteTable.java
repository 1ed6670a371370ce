package io.weir.proxy.program.match;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An open-addressed table from ASCII bytes, compared in lower case, to values; at most a quarter full, so that look-ups
 * of unknown keys probe few slots. Written while a configuration is compiled, immutable afterwards.
 */
public final class ByteTable<V> {
    private static final long SEED = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;

    private byte[] @Nullable [] keys = new byte[16][];
    private @Nullable Object[] values = new @Nullable Object[16];
    private int size;

    public static byte[] lower(String text) {
        return text.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.ISO_8859_1);
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Adds or replaces; the key is in lower case. */
    void put(byte[] key, V value) {
        if ((size + 1) * 4 > keys.length) {
            grow();
        }
        int slot = slot(key, 0, key.length);
        if (keys[slot] == null) {
            size++;
        }
        keys[slot] = key;
        values[slot] = value;
    }

    @SuppressWarnings("unchecked") // only put writes values
    @Nullable
    V get(byte[] bytes, int from, int to) {
        return size == 0 ? null : (V) values[slot(bytes, from, to)];
    }

    private int slot(byte[] bytes, int from, int to) {
        long hash = SEED;
        for (int i = from; i < to; i++) {
            hash = (hash ^ lower(bytes[i])) * PRIME;
        }
        int mask = keys.length - 1;
        int slot = (int) (hash ^ (hash >>> 32)) & mask;
        while (true) {
            byte[] key = keys[slot];
            if (key == null || same(key, bytes, from, to)) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    private static boolean same(byte[] key, byte[] bytes, int from, int to) {
        if (key.length != to - from) {
            return false;
        }
        for (int i = 0; i < key.length; i++) {
            if (key[i] != lower(bytes[from + i])) {
                return false;
            }
        }
        return true;
    }

    private static int lower(byte b) {
        return b >= 'A' && b <= 'Z' ? b + 32 : b;
    }

    @SuppressWarnings("unchecked") // only put writes values
    private void grow() {
        byte[] @Nullable [] oldKeys = keys;
        @Nullable Object[] oldValues = values;
        keys = Arrays.copyOf(new byte[0][], oldKeys.length * 2);
        values = new @Nullable Object[keys.length];
        size = 0;
        for (int i = 0; i < oldKeys.length; i++) {
            byte[] key = oldKeys[i];
            Object value = oldValues[i];
            if (key != null && value != null) {
                put(key, (V) value);
            }
        }
    }
}
