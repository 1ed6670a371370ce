package io.weir.lab.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.ResourceLeakDetector;
import io.weir.base.Chance;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Messaging against a model of what it promises, by random operations: queues, topics, durable and shared subscriptions,
 * selectors, groups, priorities, delays, expiry, transactions, every acknowledge mode, prefetch, connections that break,
 * pauses, bulk work of administrators, a disk that fails or is full, sudden deaths. The whole broker runs, from frames to
 * the bytes on a simulated disk, on one thread whose every choice comes from the seed: see {@link Simulation}.
 *
 * <p>What this cannot show: what the real client makes of the frames, real threads, real disks and real deaths of processes
 * (the tests with the ledger).
 *
 * <p>A failure prints its seed and the shortest run that was found. {@code -Dmodel.seed=N} runs that seed again,
 * {@code -Dmodel.seeds=N} the first N, {@code -Dmodel.off=A,B} leaves out what {@link Feature} names. Seeds belong to the
 * operations as they are: who adds one gets other runs.
 */
@Tag("slow")
class ModelTest {
    private static final int STEPS = Integer.getInteger("model.steps", 150);
    private static final int SEEDS = Integer.getInteger("model.seeds", 120);
    private static final int NIGHTLY_SEEDS = 10_000;
    private static final int SABOTAGED = 16;
    private static final @Nullable Long SEED = Long.getLong("model.seed");

    private final AtomicLong audits = new AtomicLong();
    private final AtomicLong deaths = new AtomicLong();

    private static ResourceLeakDetector.Level detection = ResourceLeakDetector.Level.SIMPLE;

    /** A death leaves buffers behind, as a real one would: what is left of a thousand brokers is no leak of this process. */
    @BeforeAll
    static void deathsLeaveBuffers() {
        detection = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
    }

    @AfterAll
    static void leaksAreFoundAgain() {
        ResourceLeakDetector.setLevel(detection);
    }

    @Test
    void everyPromiseIsKept() {
        long first = SEED == null ? 1 : SEED;
        run(first, SEED == null ? SEEDS : 1);
        if (SEED == null) {
            assertThat(audits.get()).as("comparisons").isGreaterThan(SEEDS * 10L);
            assertThat(deaths.get()).as("sudden deaths").isGreaterThan(SEEDS * 3L);
        }
    }

    @Test
    @Tag("nightly")
    void everyPromiseIsKeptForTenThousandSeeds() {
        long first = Chance.unseeded().random().nextInt(1_000_000_000);
        System.out.println("model: seeds from " + first);
        run(first, NIGHTLY_SEEDS);
    }

    /** The model notices what a broken broker does; without this its silence would say nothing. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void whatIsBrokenOnPurposeIsNoticed(Sabotage sabotage) {
        long noticed = LongStream.rangeClosed(1, SABOTAGED)
                .parallel()
                .filter(seed -> new Simulation(seed, STEPS, Set.of(), sabotage).run() != null)
                .count();
        assertThat(noticed).as("of %d runs", SABOTAGED).isGreaterThan(1);
    }

    @Test
    void aSeedDoesTheSameAgain() {
        Simulation one = new Simulation(7, STEPS, Set.of());
        one.run();
        Simulation two = new Simulation(7, STEPS, Set.of());
        two.run();
        assertThat(two.log()).isEqualTo(one.log());
    }

    private void run(long first, int count) {
        long[] wrong = LongStream.range(first, first + count)
                .parallel()
                .filter(seed -> {
                    Simulation s = new Simulation(seed, STEPS, Set.of());
                    String violation = s.run();
                    audits.addAndGet(s.audits());
                    deaths.addAndGet(s.deaths());
                    if (violation != null) {
                        System.out.println("model: seed " + seed + ", step " + s.step() + ": " + violation);
                    }
                    return violation != null;
                })
                .toArray();
        if (wrong.length > 0) {
            throw new AssertionError(wrong.length + " of " + count + " seeds; the shortest run of the first:\n"
                    + told(wrong[0]) + "\n-Dmodel.seed=" + wrong[0] + " runs it again");
        }
    }

    private static String told(long seed) {
        Simulation s = Objects.requireNonNull(new Shrinker(seed, STEPS).shrink());
        return "seed " + seed + ", " + s.profile + "\n" + String.join("\n", s.log());
    }
}
