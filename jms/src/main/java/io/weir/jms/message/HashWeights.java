package io.weir.jms.message;

import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts what the hash codes of the containers of one message cost. A set asks each element for its hash code while it
 * is read, a list asks its elements, and an object may be in many of them: a few hundred bytes of lists within lists
 * keep a processor busy for years. Where nothing is shared that costs at most one step for each object. Confined to one
 * deserialisation, which reports objects from the inside to the outside.
 */
final class HashWeights {
    private static final long SMALL = 1000;

    private final IdentityHashMap<Object, Long> weights = new IdentityHashMap<>();

    /**
     * Whether a container is worth its cost.
     *
     * @param references objects and references that were read so far
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
