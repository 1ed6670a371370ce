package io.weir.server.logtop;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/**
 * The keys with the largest values, exactly, in bounded memory: a key is evicted only by another with a larger value,
 * and returns with a larger one. Confined to its caller.
 */
final class Slowest {
    private static final Comparator<Map.Entry<String, Long>> SLOWEST_FIRST =
            Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey());

    private final int capacity;
    private final Map<String, Long> largest = new HashMap<>();
    private final TreeSet<Map.Entry<String, Long>> order = new TreeSet<>(SLOWEST_FIRST);

    Slowest(int capacity) {
        this.capacity = capacity;
    }

    void add(String key, long value) {
        if (order.size() >= capacity && value <= order.last().getValue()) {
            return;
        }
        Long before = largest.get(key);
        if (before != null) {
            if (before >= value) {
                return;
            }
            order.remove(Map.entry(key, before));
        }
        largest.put(key, value);
        order.add(Map.entry(key, value));
        if (order.size() > capacity) {
            largest.remove(Objects.requireNonNull(order.pollLast()).getKey());
        }
    }

    /** Keys and values, the largest first. */
    List<Map.Entry<String, Long>> first(int n) {
        return order.stream().limit(n).toList();
    }
}
