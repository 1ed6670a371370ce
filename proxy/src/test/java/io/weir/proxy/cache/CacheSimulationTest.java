package io.weir.proxy.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.proxy.cache.config.CacheStats;
import io.weir.proxy.cache.fill.Fill;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Everything at once, in an order that a seed decides: loops, clients slow and fast, that join, lag and leave; origins that
 * fail before, within and after; objects that change, vary, may not be stored or are too large; eviction and purges.
 */
@Tag("slow")
class CacheSimulationTest {
    private static final int LOOPS = 4;
    private static final int STEPS = 20_000;

    private final TestCache t =
            new TestCache("memory-budget=256KiB", "max-object-size=48KiB", "fill-window=16KiB", "hit-for-miss=2s");
    private final List<TestLoop> loops = new ArrayList<>();
    private final List<SimulatedExchange> exchanges = new ArrayList<>();
    private SimulatedEngine engine = new SimulatedEngine(t.cache, t.clock, 0);
    private RandomGenerator random = Chance.seeded(0).random();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void everyReaderGetsTheRightBytesToTheEndOrAnError(long seed) {
        random = Chance.seeded(seed).random();
        engine = new SimulatedEngine(t.cache, t.clock, (int) (seed % 4) * 2);
        for (int i = 0; i < LOOPS; i++) {
            loops.add(new TestLoop());
        }
        for (int i = 0; i < STEPS; i++) {
            step();
            checkBounds();
        }
        settle();
        assertThat(engine.ended.get()).as("readers that got all").isGreaterThan(300);
        assertThat(engine.hits.get()).as("hits").isGreaterThan(30);
        assertThat(engine.joins.get()).as("joined").isGreaterThan(100);
        assertThat(engine.relayedAndStored.get()).as("storable after all").isPositive();
        assertThat(t.count(CacheStats.EVICTIONS, "memory")).isPositive();
        t.assertNothingLeaks();
    }

    private void step() {
        int what = random.nextInt(100);
        if (what < 15) {
            begin();
        } else if (what < 50) {
            loops.get(random.nextInt(LOOPS)).step();
        } else if (what < 85) {
            fetch();
        } else if (what < 95) {
            client();
        } else if (what < 98) {
            t.clock.step(Duration.ofMillis(random.nextInt(100)));
        } else if (what < 99) {
            engine.origin.change(random.nextInt(SimulatedOrigin.RESOURCES));
        } else if (random.nextInt(10) == 0) {
            t.cache.invalidate(t.get("/" + random.nextInt(SimulatedOrigin.RESOURCES) + "/1")
                    .key());
        }
    }

    private void begin() {
        if (exchanges.size() < 60) {
            SimulatedExchange exchange = new SimulatedExchange(engine, loops.get(random.nextInt(LOOPS)), random);
            exchanges.add(exchange);
            exchange.start();
        }
    }

    private void fetch() {
        engine.fetches.removeIf(fetch -> fetch.done);
        checkOneFetchForEachGroup();
        if (!engine.fetches.isEmpty()) {
            engine.fetches.get(random.nextInt(engine.fetches.size())).step();
        }
    }

    private void client() {
        exchanges.removeIf(exchange -> exchange.done);
        if (exchanges.isEmpty()) {
            return;
        }
        SimulatedExchange exchange = exchanges.get(random.nextInt(exchanges.size()));
        if (random.nextInt(8) == 0) {
            exchange.leave();
        } else if (exchange.slow) {
            exchange.pump();
        }
    }

    private void checkBounds() {
        assertThat(t.cache.store.budget().used())
                .isLessThanOrEqualTo(t.cache.store.budget().limit());
        assertThat(t.allocator.metric().usedDirectMemory())
                .isLessThanOrEqualTo(t.cache.store.budget().used());
        assertThat(t.count(CacheStats.WINDOW_BYTES)).isLessThanOrEqualTo((60L * (16 + 30)) << 10);
    }

    /** Of all fetches whose head is not there yet, only one may be joined for each key. */
    private void checkOneFetchForEachGroup() {
        Set<String> waiting = new HashSet<>();
        for (SimulatedFetch fetch : engine.fetches) {
            Fill fill = fetch.fill();
            if (fill != null && fill.joinable()) {
                String group = fetch.path + (fetch.resource == SimulatedOrigin.VARYING ? "-" + fetch.variant : "");
                assertThat(waiting.add(group)).as("one fetch for " + group).isTrue();
            }
        }
    }

    /** No new clients: all that are there come to their end. */
    private void settle() {
        for (int round = 0; round < 10_000 && !(exchanges.isEmpty() && engine.fetches.isEmpty()); round++) {
            loops.forEach(TestLoop::step);
            exchanges.removeIf(exchange -> exchange.done);
            List.copyOf(exchanges).stream().filter(exchange -> exchange.slow).forEach(SimulatedExchange::pump);
            List.copyOf(engine.fetches).forEach(SimulatedFetch::step);
            engine.fetches.removeIf(fetch -> fetch.done);
        }
        loops.forEach(TestLoop::run);
        assertThat(exchanges).as("readers that hang").isEmpty();
        assertThat(engine.fetches).as("fetches that hang").isEmpty();
    }
}
