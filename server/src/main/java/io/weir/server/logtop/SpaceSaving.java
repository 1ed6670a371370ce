package io.weir.server.logtop;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The heaviest of any number of keys in bounded memory: the Space-Saving sketch (Metwally, Agrawal, El Abbadi, 2005) with
 * weights. Every key whose weight exceeds the sum of all divided by the capacity is in it, and no weight is understated;
 * it is overstated by at most {@link Entry#error()}. Confined to its caller.
 */
final class SpaceSaving {
    private final int capacity;
    private final Map<String, Entry> entries;
    // a binary heap, the lightest first
    private final List<Entry> heap;
    private long total;

    /** A key with its data; values other than the weight count from when it entered the sketch. */
    static final class Entry {
        private String key = "";
        private long weight;
        private long error;
        private long count;
        private long most;
        private int at;

        String key() {
            return key;
        }

        long weight() {
            return weight;
        }

        /** By how much the weight may be overstated. */
        long error() {
            return error;
        }

        /** The number of its occurrences. */
        long count() {
            return count;
        }

        /** The largest single weight. */
        long most() {
            return most;
        }
    }

    /** A sketch of this many keys. */
    SpaceSaving(int capacity) {
        this.capacity = capacity;
        this.entries = new HashMap<>(capacity * 2);
        this.heap = new ArrayList<>(capacity);
    }

    void add(String key, long weight) {
        total += weight;
        Entry e = entries.get(key);
        if (e == null) {
            e = heap.size() < capacity ? added() : replaced();
            e.key = key;
            entries.put(key, e);
        }
        e.weight += weight;
        e.count++;
        e.most = Math.max(e.most, weight);
        down(e.at);
    }

    private Entry added() {
        Entry e = new Entry();
        e.at = heap.size();
        heap.add(e);
        up(e.at);
        return e;
    }

    private Entry replaced() {
        Entry e = heap.getFirst();
        entries.remove(e.key);
        e.error = e.weight;
        e.count = 0;
        e.most = 0;
        return e;
    }

    /** The sum of all weights, including those of evicted keys. */
    long total() {
        return total;
    }

    int size() {
        return heap.size();
    }

    /** The first {@code n} by an order. */
    List<Entry> first(int n, Comparator<Entry> order) {
        return entries.values().stream()
                .sorted(order.thenComparing(Entry::key))
                .limit(n)
                .toList();
    }

    /** The heaviest. */
    List<Entry> heaviest(int n) {
        return first(n, Comparator.comparingLong(Entry::weight).reversed());
    }

    private void up(int from) {
        int at = from;
        while (at > 0 && heap.get(at).weight < heap.get((at - 1) / 2).weight) {
            swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
    }

    private void down(int from) {
        int at = from;
        while (true) {
            int least = at;
            for (int child = 2 * at + 1; child <= 2 * at + 2 && child < heap.size(); child++) {
                least = heap.get(child).weight < heap.get(least).weight ? child : least;
            }
            if (least == at) {
                return;
            }
            swap(at, least);
            at = least;
        }
    }

    private void swap(int a, int b) {
        Entry x = heap.get(a);
        Entry y = heap.get(b);
        heap.set(a, y);
        heap.set(b, x);
        y.at = a;
        x.at = b;
    }
}
