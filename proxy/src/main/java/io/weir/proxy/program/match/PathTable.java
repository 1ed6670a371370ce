package io.weir.proxy.program.match;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rules whose path is exact or a prefix, in a hash table: a path is hashed once from its start, and looked up at each
 * slash and at its end. Written while a program is compiled, immutable afterwards.
 */
final class PathTable {
    private static final long SEED = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;
    private static final int[] NONE = {};

    private final @Nullable Entry[] slots;
    private final int mask;
    private final int longest;
    private final boolean empty;

    /** Rules for one path: for exactly this path, for it and everything below, for what is below it only. */
    private static final class Entry {
        private final byte[] key;
        private final int[][] kinds = {NONE, NONE, NONE};

        private Entry(byte[] key) {
            this.key = key;
        }
    }

    private static final int WHOLE = 0;
    private static final int PREFIX = 1;
    private static final int BELOW = 2;

    /** @param rules paths by number of rule, ascending; excluding the prefix {@code /} */
    PathTable(Map<Integer, RuleCondition.PathRule> rules) {
        Map<String, Entry> entries = new HashMap<>();
        Map<Entry, List<List<Integer>>> lists = new HashMap<>();
        rules.forEach((number, rule) -> {
            boolean exact = rule.match() == PathMatch.EXACT;
            String key = exact ? rule.text() : LiteralPath.withoutSlash(rule.text());
            int kind = exact ? WHOLE : rule.text().endsWith("/") ? BELOW : PREFIX;
            Entry entry = entries.computeIfAbsent(key, k -> new Entry(k.getBytes(StandardCharsets.ISO_8859_1)));
            lists.computeIfAbsent(entry, _ -> List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>()))
                    .get(kind)
                    .add(number);
        });
        int size = Math.max(16, Integer.highestOneBit(Math.max(1, entries.size())) * 8);
        slots = new @Nullable Entry[size];
        mask = size - 1;
        empty = entries.isEmpty();
        int max = 0;
        for (Entry entry : entries.values()) {
            List<List<Integer>> kinds = lists.getOrDefault(entry, List.of());
            for (int k = 0; k < kinds.size(); k++) {
                entry.kinds[k] = kinds.get(k).stream().mapToInt(i -> i).sorted().toArray();
            }
            max = Math.max(max, entry.key.length);
            put(entry);
        }
        longest = max;
    }

    private static int slot(long hash, int mask) {
        return (int) (hash ^ (hash >>> 29) ^ (hash >>> 47)) & mask;
    }

    private void put(Entry entry) {
        long hash = SEED;
        for (byte b : entry.key) {
            hash = (hash ^ b) * PRIME;
        }
        int slot = slot(hash, mask);
        while (slots[slot] != null) {
            slot = (slot + 1) & mask;
        }
        slots[slot] = entry;
    }

    /** The lowest matching rule from {@code from} on and below {@code best}, or {@code best}. */
    int first(RuleIndex index, MatchInput in, int from, int best) {
        if (empty) {
            return best;
        }
        byte[] path = in.pathBytes;
        int start = in.pathFrom;
        int end = in.pathTo;
        int stop = Math.min(end, start + longest + 1);
        long hash = SEED;
        int found = best;
        for (int i = start; i < stop; i++) {
            byte b = path[i];
            if (b == '/' && i > start) {
                Entry entry = find(hash, path, start, i);
                if (entry != null) {
                    found = index.lowest(entry.kinds[PREFIX], in, from, found);
                    found = index.lowest(entry.kinds[BELOW], in, from, found);
                }
            }
            hash = (hash ^ b) * PRIME;
        }
        if (end - start <= longest) {
            Entry entry = find(hash, path, start, end);
            if (entry != null) {
                found = index.lowest(entry.kinds[WHOLE], in, from, found);
                found = index.lowest(entry.kinds[PREFIX], in, from, found);
            }
        }
        return found;
    }

    private @Nullable Entry find(long hash, byte[] path, int from, int to) {
        int slot = slot(hash, mask);
        for (Entry entry = slots[slot]; entry != null; entry = slots[slot]) {
            if (Arrays.equals(entry.key, 0, entry.key.length, path, from, to)) {
                return entry;
            }
            slot = (slot + 1) & mask;
        }
        return null;
    }
}
