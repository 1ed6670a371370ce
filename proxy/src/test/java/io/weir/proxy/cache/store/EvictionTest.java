package io.weir.proxy.cache.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** The policy against the one that everybody knows. */
class EvictionTest {
    private static final int OBJECTS = 20_000;
    private static final int ROOM = 1_000;
    private static final int REQUESTS = 200_000;

    private static final class Item extends Evictable {
        private final int id;

        Item(int id) {
            this.id = id;
        }

        @Override
        long memoryBytes() {
            return 1;
        }

        @Override
        long hash() {
            long h = (id + 1) * 0x9E3779B97F4A7C15L;
            return h ^ h >>> 31;
        }
    }

    /** Counts the hits of a cache of {@link #ROOM} objects. */
    private static final class Simulated {
        private final Eviction eviction = new Eviction(new GhostTable(4096));
        private final Map<Integer, Item> items = new HashMap<>();
        int hits;

        void request(int id) {
            Item item = items.get(id);
            if (item != null) {
                hits++;
                item.used();
                return;
            }
            if (items.size() == ROOM) {
                items.remove(((Item) Objects.requireNonNull(eviction.evict())).id);
            }
            Item fresh = new Item(id);
            items.put(id, fresh);
            eviction.add(fresh);
        }
    }

    private static final class Lru extends LinkedHashMap<Integer, Boolean> {
        private static final long serialVersionUID = 1;
        int hits;

        Lru() {
            super(16, 0.75f, true);
        }

        void request(int id) {
            if (get(id) != null) {
                hits++;
            } else {
                put(id, true);
            }
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Boolean> eldest) {
            return size() > ROOM;
        }
    }

    /** Ids with a Zipf distribution of exponent 0.9, each request drawn anew. */
    private static int[] zipf(int n, long seed) {
        double[] cumulated = new double[OBJECTS];
        double sum = 0;
        for (int i = 0; i < OBJECTS; i++) {
            sum += 1 / Math.pow(i + 1, 0.9);
            cumulated[i] = sum;
        }
        RandomGenerator random = Chance.seeded(seed).random();
        int[] ids = new int[n];
        for (int i = 0; i < n; i++) {
            int at = Arrays.binarySearch(cumulated, random.nextDouble() * sum);
            ids[i] = at < 0 ? -at - 1 : at;
        }
        return ids;
    }

    @Test
    void onAZipfTraceItHitsMoreThanLru() {
        Simulated ours = new Simulated();
        Lru lru = new Lru();
        for (int id : zipf(REQUESTS, 7)) {
            ours.request(id);
            lru.request(id);
        }
        System.out.printf(
                "hit ratio on Zipf 0.9: S3-FIFO %.3f, LRU %.3f%n",
                ours.hits / (double) REQUESTS, lru.hits / (double) REQUESTS);
        assertThat(ours.hits).isGreaterThan(lru.hits * 105 / 100);
    }

    @Test
    void aScanDoesNotPushOutWhatIsUsed() {
        Simulated ours = new Simulated();
        Lru lru = new Lru();
        int scanned = 1_000_000;
        int[] trace = zipf(REQUESTS, 8);
        for (int i = 0; i < trace.length; i++) {
            ours.request(trace[i]);
            lru.request(trace[i]);
            if (i % 20_000 == 10_000) {
                for (int k = 0; k < 5 * ROOM; k++) {
                    ours.request(scanned);
                    lru.request(scanned++);
                }
            }
        }
        assertThat(ours.hits).isGreaterThan(lru.hits * 110 / 100);
        int kept = ours.hits;
        for (int id = 0; id < 50; id++) {
            ours.request(id);
        }
        assertThat(ours.hits - kept).as("the fifty most wanted are still there").isGreaterThanOrEqualTo(48);
    }

    @Test
    void whoComesBackSoonAfterItLeftIsKeptLonger() {
        Simulated ours = new Simulated();
        for (int id = 0; id < 2 * ROOM; id++) {
            ours.request(id);
        }
        int back = 500;
        assertThat(ours.items).doesNotContainKey(back);
        ours.request(back);
        for (int id = 10_000; id < 10_000 + 900; id++) {
            ours.request(id);
        }
        assertThat(ours.items).containsKey(back);
    }

    @Test
    void anEmptyCacheHasNothingToGive() {
        Eviction eviction = new Eviction(new GhostTable(64));
        assertThat(eviction.evict()).isNull();
        Item only = new Item(1);
        eviction.add(only);
        only.used();
        only.used();
        assertThat(eviction.evict()).isSameAs(only);
        assertThat(eviction.evict()).isNull();
    }

    @Test
    void eachDecisionIsCounted() {
        Eviction eviction = new Eviction(new GhostTable(64));
        CachePolicy.Item once = new CachePolicy.Item(1, 100);
        eviction.add(once);
        assertThat(eviction.evict()).isSameAs(once);
        CachePolicy.Item again = new CachePolicy.Item(1, 100);
        eviction.add(again);
        again.used();
        CachePolicy.Item popular = new CachePolicy.Item(2, 100);
        eviction.add(popular);
        popular.used();
        popular.used();
        assertThat(eviction.evict()).isSameAs(popular);
        assertThat(eviction.probation()).isEqualTo(2);
        assertThat(eviction.returning()).isOne();
        assertThat(eviction.promoted()).isOne();
        assertThat(eviction.kept()).isOne();
    }
}
