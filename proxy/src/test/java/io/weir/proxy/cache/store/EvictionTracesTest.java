package io.weir.proxy.cache.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/**
 * The store's policy against others on requests as caches of the web see them, by objects and by bytes. Prints the
 * figures of docs/memory-cache.md.
 */
class EvictionTracesTest {
    private static final String OURS = "S3-FIFO";
    private static final String LRU = "LRU";
    private static final String LFU = "LFU";
    private static final String FIFO = "FIFO";
    /** Percents of the bytes of all objects for which there is room. */
    private static final List<Integer> ROOMS = List.of(1, 10, 25);

    private static final Map<String, LongFunction<CachePolicy>> POLICIES = policies();

    private static Map<String, LongFunction<CachePolicy>> policies() {
        Map<String, LongFunction<CachePolicy>> all = new LinkedHashMap<>();
        all.put(OURS, CachePolicy.S3Fifo::new);
        all.put(LRU, CachePolicy.Lru::new);
        all.put(LFU, CachePolicy.Lfu::new);
        all.put(FIFO, CachePolicy.Fifo::new);
        return all;
    }

    /** Hit ratios of a policy on a trace. */
    private record Ratios(double objects, double bytes) {}

    private static Map<String, Ratios> compare(Trace trace, int room) {
        Map<String, Ratios> found = new LinkedHashMap<>();
        StringBuilder line =
                new StringBuilder(String.format(Locale.ROOT, "hit ratios, %s, room for %d %%:", trace.name(), room));
        POLICIES.forEach((name, policy) -> {
            CachePolicy cache = policy.apply(trace.bytes() * room / 100);
            trace.run(cache);
            found.put(name, new Ratios(cache.objectHitRatio(), cache.byteHitRatio()));
            line.append(String.format(
                    Locale.ROOT,
                    "  %s %.1f (bytes %.1f)",
                    name,
                    100 * cache.objectHitRatio(),
                    100 * cache.byteHitRatio()));
        });
        System.out.println(line);
        return found;
    }

    private static double lead(Map<String, Ratios> found, String over, boolean bytes) {
        Ratios ours = found.getOrDefault(OURS, new Ratios(0, 0));
        Ratios theirs = found.getOrDefault(over, new Ratios(1, 1));
        return bytes ? ours.bytes() - theirs.bytes() : ours.objects() - theirs.objects();
    }

    private static void leads(Trace trace, int room, Map<String, Ratios> found, String over, double atLeast) {
        for (boolean bytes : new boolean[] {false, true}) {
            assertThat(lead(found, over, bytes))
                    .as(
                            "%s, room for %d %%: S3-FIFO over %s by %s",
                            trace.name(), room, over, bytes ? "bytes" : "objects")
                    .isGreaterThanOrEqualTo(atLeast);
        }
    }

    /** LFU keeps what was ever popular, which is best where popularity never changes. */
    @Test
    void whatIsPopularStaysAndAScanPasses() {
        for (Trace trace : List.of(Trace.zipf(0.9, 7), Trace.scanned(0.9, 7))) {
            for (int room : ROOMS) {
                Map<String, Ratios> found = compare(trace, room);
                leads(trace, room, found, LRU, 0.004);
                leads(trace, room, found, FIFO, 0.03);
                leads(trace, room, found, LFU, -0.025);
            }
        }
    }

    @Test
    void theMixOfAContentDeliveryNetwork() {
        Trace trace = Trace.cdn(7);
        for (int room : ROOMS) {
            Map<String, Ratios> found = compare(trace, room);
            leads(trace, room, found, LRU, 0.01);
            leads(trace, room, found, FIFO, 0.03);
            leads(trace, room, found, LFU, room == 25 ? -0.01 : 0.01);
        }
    }

    /** The price: what was popular and is not any more leaves later than with LRU, but long before LFU gives it up. */
    @Test
    void whenOtherObjectsAreWantedItFollows() {
        Trace trace = Trace.changing(0.9, 7);
        for (int room : ROOMS) {
            Map<String, Ratios> found = compare(trace, room);
            leads(trace, room, found, LFU, 0.05);
            leads(trace, room, found, LRU, -0.08);
        }
    }
}
