package io.weir.proxy.program.match;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the few of many patterns that can match a path: each is indexed under a piece of 1, 2, 4 or 8 bytes that every
 * match contains, the rarest among all patterns that it has, and the pieces of a path are looked up. Written while a
 * program is compiled, immutable afterwards.
 */
final class PatternFilter {
    private static final int[] SIZES = {8, 4, 2, 1};

    private final GramTable[] tables = new GramTable[SIZES.length];
    // patterns without any fixed text: always candidates
    private final int[] loose;

    private record Gram(int size, long bytes) {
        /** Texts of hexadecimal digits differ in few bits, which the hash of a long would cancel. */
        @Override
        public int hashCode() {
            return (int) ((bytes * 0x9E3779B97F4A7C15L) >>> 32) + size;
        }
    }

    /** @param patterns the options of each pattern, see {@link Literals}, by number of rule */
    PatternFilter(Map<Integer, List<List<byte[]>>> patterns) {
        Map<Gram, Integer> counts = new HashMap<>();
        patterns.values().forEach(options -> options.forEach(option -> option.forEach(text -> count(text, counts))));
        Map<Gram, List<Integer>> filed = new HashMap<>();
        List<Integer> without = new ArrayList<>();
        patterns.forEach((number, options) -> {
            List<Gram> grams = choose(options, counts);
            grams.forEach(g -> filed.computeIfAbsent(g, _ -> new ArrayList<>()).add(number));
            if (grams.isEmpty()) {
                without.add(number);
            }
        });
        loose = without.stream().mapToInt(i -> i).sorted().toArray();
        for (int t = 0; t < SIZES.length; t++) {
            int size = SIZES[t];
            Map<Long, List<Integer>> some = new HashMap<>();
            filed.forEach((g, numbers) -> {
                if (g.size() == size) {
                    some.put(g.bytes(), numbers);
                }
            });
            tables[t] = new GramTable(some);
        }
    }

    private static int sizeOf(int length) {
        for (int size : SIZES) {
            if (length >= size) {
                return size;
            }
        }
        throw new IllegalArgumentException("an empty text");
    }

    private static long gram(byte[] text, int at, int size) {
        long gram = 0;
        for (int i = 0; i < size; i++) {
            gram = (gram << 8) | (text[at + i] & 0xff);
        }
        return gram;
    }

    private static void count(byte[] text, Map<Gram, Integer> counts) {
        int size = sizeOf(text.length);
        for (int at = 0; at + size <= text.length; at++) {
            counts.merge(new Gram(size, gram(text, at, size)), 1, Integer::sum);
        }
    }

    /** The option whose most common piece is the rarest, longer pieces before shorter ones; empty if there is none. */
    private static List<Gram> choose(List<List<byte[]>> options, Map<Gram, Integer> counts) {
        List<Gram> best = List.of();
        long bestCost = Long.MAX_VALUE;
        for (List<byte[]> option : options) {
            List<Gram> grams = new ArrayList<>();
            long cost = 0;
            for (byte[] text : option) {
                Gram rarest = rarest(text, counts);
                grams.add(rarest);
                cost = Math.max(cost, cost(rarest, counts));
            }
            if (!grams.isEmpty() && cost < bestCost) {
                best = grams;
                bestCost = cost;
            }
        }
        return best;
    }

    private static long cost(Gram gram, Map<Gram, Integer> counts) {
        // a short piece occurs in many paths, however few rules have it
        return counts.getOrDefault(gram, 1) * (16L / gram.size()) + (8 - gram.size());
    }

    private static Gram rarest(byte[] text, Map<Gram, Integer> counts) {
        int size = sizeOf(text.length);
        Gram best = new Gram(size, gram(text, 0, size));
        int fewest = counts.getOrDefault(best, 1);
        for (int at = 1; at + size <= text.length && fewest > 1; at++) {
            Gram g = new Gram(size, gram(text, at, size));
            int count = counts.getOrDefault(g, 1);
            if (count < fewest) {
                best = g;
                fewest = count;
            }
        }
        return best;
    }

    /**
     * Passes the candidate rules to the index: returns the lowest matching number below {@code best}, or {@code best}.
     */
    int first(RuleIndex index, MatchInput in, int from, int best) {
        int found = index.lowest(loose, in, from, best);
        for (int t = 0; t < tables.length; t++) {
            if (!tables[t].isEmpty()) {
                found = scan(tables[t], SIZES[t], index, in, from, found);
            }
        }
        return found;
    }

    private static int scan(GramTable table, int size, RuleIndex index, MatchInput in, int from, int best) {
        byte[] path = in.pathBytes;
        long mask = size == 8 ? -1L : (1L << (size * 8)) - 1;
        long gram = 0;
        int found = best;
        int full = in.pathFrom + size - 1;
        for (int i = in.pathFrom; i < in.pathTo; i++) {
            gram = (gram << 8) | (path[i] & 0xff);
            if (i >= full) {
                int[] numbers = table.get(gram & mask);
                if (numbers != null) {
                    found = index.lowest(numbers, in, from, found);
                }
            }
        }
        return found;
    }
}
