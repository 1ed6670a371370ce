package io.weir.jms.message;

import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Computes the cost of the hash codes of the containers of one message. A set calls the hash code of each element while
 * it is read, a list that of its elements, and an object can be in many of them: a few hundred bytes of nested lists
 * can keep a processor busy for years. Without shared objects the cost is at most one step for each object. Confined to
 * one deserialisation, which reports objects from the inside to the outside.
 */
final class HashWeights {
    private static final long SMALL = 1000;

    private final IdentityHashMap<Object, Long> weights = new IdentityHashMap<>();

    /**
     * Whether the cost of a container is acceptable.
     *
     * @param references objects and references read so far
     */
    boolean allows(Object container, long references) {
        long weight = 1;
        if (container instanceof Collection<?> all) {
            for (Object o : all) {
                weight = sum(weight, of(o));
            }
        } else if (container instanceof Map<?, ?> map) {
            for (Map.Entry<?, ?> e : map.entrySet()) {
                weight = sum(weight, sum(of(e.getKey()), of(e.getValue())));
            }
        } else if (container instanceof Map.Entry<?, ?> e) {
            weight = sum(weight, sum(of(e.getKey()), of(e.getValue())));
        }
        weights.put(container, weight);
        return weight <= SMALL + 2 * references;
    }

    private long of(@Nullable Object o) {
        return o == null ? 1 : weights.getOrDefault(o, 1L);
    }

    private static long sum(long a, long b) {
        return Math.min(a + b, Long.MAX_VALUE / 4);
    }
}
