package io.weir.proxy.program.match;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An open-addressed table from short pieces of paths to sorted rule numbers, with a bitmap of the slots in front.
 * Immutable.
 */
final class GramTable {
    private static final int[] NONE = {};

    private final int shift;
    private final int mask;
    private final long[] bits;
    private final long[] keys;
    private final int[][] values;
    private final boolean empty;

    GramTable(Map<Long, List<Integer>> entries) {
        int log = Math.max(6, 32 - Integer.numberOfLeadingZeros(entries.size() * 8));
        shift = 64 - log;
        mask = (1 << log) - 1;
        bits = new long[1 << (log - 6)];
        keys = new long[1 << log];
        values = new int[1 << log][];
        java.util.Arrays.fill(values, NONE);
        empty = entries.isEmpty();
        entries.forEach((gram, numbers) ->
                put(gram, numbers.stream().mapToInt(i -> i).distinct().sorted().toArray()));
    }

    private int slot(long gram) {
        return (int) ((gram * 0x9E3779B97F4A7C15L) >>> shift);
    }

    private void put(long gram, int[] numbers) {
        int slot = slot(gram);
        bits[slot >> 6] |= 1L << slot;
        while (values[slot].length > 0) {
            slot = (slot + 1) & mask;
        }
        keys[slot] = gram;
        values[slot] = numbers;
    }

    boolean isEmpty() {
        return empty;
    }

    int @Nullable [] get(long gram) {
        int slot = slot(gram);
        if ((bits[slot >> 6] & (1L << slot)) == 0) {
            return null;
        }
        while (values[slot].length > 0) {
            if (keys[slot] == gram) {
                return values[slot];
            }
            slot = (slot + 1) & mask;
        }
        return null;
    }
}
