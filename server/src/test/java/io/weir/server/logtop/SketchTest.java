package io.weir.server.logtop;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SketchTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void sketchHoldsItsBoundsForAnyStream(long seed) {
        RandomGenerator r = Chance.seeded(seed).random();
        int capacity = 1 + r.nextInt(50);
        SpaceSaving sketch = new SpaceSaving(capacity);
        Map<String, Long> exact = new HashMap<>();
        long total = 0;
        for (int i = 0; i < 20_000; i++) {
            // few keys come often, many once
            String key = "k" + (r.nextBoolean() ? r.nextInt(5) : r.nextInt(5000));
            long weight = r.nextInt(1, 10);
            sketch.add(key, weight);
            exact.merge(key, weight, Long::sum);
            total += weight;
        }
        assertThat(sketch.total()).isEqualTo(total);
        assertThat(sketch.size()).isEqualTo(capacity);
        Map<String, SpaceSaving.Entry> found = new HashMap<>();
        sketch.heaviest(capacity).forEach(e -> found.put(e.key(), e));
        long bound = total / capacity;
        exact.forEach((key, weight) -> {
            SpaceSaving.Entry e = found.get(key);
            if (e == null) {
                assertThat(weight).as("seed %d, %s", seed, key).isLessThanOrEqualTo(bound);
            } else {
                assertThat(e.weight()).isGreaterThanOrEqualTo(weight);
                assertThat(e.weight() - e.error()).isLessThanOrEqualTo(weight);
                assertThat(e.error()).isLessThanOrEqualTo(bound);
            }
        });
    }

    @Test
    void sketchThatIsLargeEnoughIsExact() {
        SpaceSaving sketch = new SpaceSaving(3);
        for (String key : List.of("a", "b", "a", "c", "a", "b")) {
            sketch.add(key, 1);
        }
        assertThat(sketch.heaviest(2)).extracting(SpaceSaving.Entry::key).containsExactly("a", "b");
        assertThat(sketch.heaviest(3)).extracting(SpaceSaving.Entry::weight).containsExactly(3L, 2L, 1L);
        assertThat(sketch.heaviest(3)).extracting(SpaceSaving.Entry::error).containsOnly(0L);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void slowestAreExactWhateverTheOrder(long seed) {
        RandomGenerator r = Chance.seeded(seed).random();
        Slowest slowest = new Slowest(10);
        Map<String, Long> exact = new HashMap<>();
        for (int i = 0; i < 5000; i++) {
            String key = "k" + r.nextInt(300);
            long value = r.nextInt(1_000_000);
            slowest.add(key, value);
            exact.merge(key, value, Math::max);
        }
        List<Map.Entry<String, Long>> expected = exact.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .limit(10)
                .toList();
        assertThat(slowest.first(10)).isEqualTo(expected);
    }
}
