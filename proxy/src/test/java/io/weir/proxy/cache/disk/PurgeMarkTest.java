package io.weir.proxy.cache.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.SteppedClock;
import io.weir.proxy.cache.disk.files.PurgeMark;
import io.weir.proxy.cache.disk.files.RealFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the disk remembers of a cluster's purges: never more than a kill or a power failure leaves. */
class PurgeMarkTest {
    private static final String MEMORY = "memory-budget=8MiB";
    private static final PurgeMark PURGED = new PurgeMark(77, 5);
    private static final PurgeMark REACHED = new PurgeMark(77, 12);

    private final SteppedClock clock = new SteppedClock(1_700_000_000_000L);

    private void put(TestTier tier, String path) {
        tier.put(path, TestTier.body(path, 1, 500));
    }

    /** Lets the time of a force pass; what is written next brings it. */
    private void forced(TestTier tier, String path) {
        tier.settle();
        clock.step(Duration.ofSeconds(2));
        put(tier, path);
        tier.settle();
    }

    @Test
    void theNextStartFindsIt(@TempDir Path path) throws IOException {
        try (TestTier tier = new TestTier(RealFolder.open(path), clock, MEMORY)) {
            assertThat(tier.tier.mark()).isEqualTo(PurgeMark.NONE);
            put(tier, "/kept");
            put(tier, "/purged");
            tier.settle();
            tier.purge("/purged");
            tier.tier.mark(REACHED);
            forced(tier, "/wakes");
            TestTier.await("it is written", () -> REACHED.equals(read(path)));
        }
        try (TestTier tier = new TestTier(RealFolder.open(path), clock, MEMORY)) {
            assertThat(tier.tier.mark()).isEqualTo(REACHED);
            assertThat(tier.get("/kept")).isNotNull();
            assertThat(tier.get("/purged")).isNull();
        }
    }

    private static PurgeMark read(Path path) {
        try {
            return PurgeMark.read(RealFolder.unclaimed(path));
        } catch (IOException _) {
            return PurgeMark.NONE;
        }
    }

    @Test
    void itIsNotWrittenBeforeThePurgesAreForced() throws IOException {
        RandomGenerator random = Chance.seeded(5).random();
        int remembered = 0;
        for (int round = 0; round < 60; round++) {
            SimulatedFolder folder = new SimulatedFolder();
            SimulatedFolder after;
            try (TestTier tier = new TestTier(folder, clock, MEMORY)) {
                for (int i = 0; i < 10; i++) {
                    put(tier, "/" + i);
                }
                forced(tier, "/wakes");
                for (int i = 0; i < 5; i++) {
                    tier.purge("/" + i);
                }
                tier.tier.mark(REACHED);
                for (int i = random.nextInt(4); i > 0; i--) {
                    put(tier, "/more" + i);
                    tier.settle();
                    clock.step(Duration.ofMillis(random.nextInt(1500)));
                }
                if (round % 2 == 0) {
                    forced(tier, "/last");
                    TestTier.await("it is written", () -> written(folder));
                }
                after = folder.afterPowerFailure(random);
            }
            if (PurgeMark.read(after).equals(REACHED)) {
                remembered++;
                try (TestTier tier = new TestTier(after, clock, MEMORY)) {
                    for (int i = 0; i < 5; i++) {
                        assertThat(tier.get("/" + i)).as("round " + round).isNull();
                    }
                }
            }
        }
        assertThat(remembered).as("rounds in which it was written").isGreaterThanOrEqualTo(30);
    }

    @Test
    void ofSeveralDisksTheOneThatIsBehindCounts() throws IOException {
        SimulatedFolder one = new SimulatedFolder();
        SimulatedFolder two = new SimulatedFolder();
        try (TestTier tier = several(one, two)) {
            tier.tier.mark(PURGED);
            for (int i = 0; i < 20; i++) {
                forced(tier, "/" + i);
            }
            TestTier.await("both have it", () -> PURGED.equals(mark(one)) && PURGED.equals(mark(two)));
        }
        REACHED.write(one);
        try (TestTier tier = several(one, two)) {
            assertThat(tier.tier.mark()).isEqualTo(PURGED);
        }
        new PurgeMark(5, 12).write(two);
        try (TestTier tier = several(one, two)) {
            assertThat(tier.tier.mark()).as("of another cluster").isEqualTo(new PurgeMark(-1, 0));
        }
        try (TestTier tier = several(one, new SimulatedFolder())) {
            assertThat(tier.tier.mark()).as("a new disk has missed nothing").isEqualTo(REACHED);
        }
    }

    private TestTier several(SimulatedFolder one, SimulatedFolder two) throws IOException {
        return new TestTier(
                List.of(new DiskFolders.Opened("one", 32 << 20, one), new DiskFolders.Opened("two", 32 << 20, two)),
                clock,
                true,
                MEMORY);
    }

    private static PurgeMark mark(SimulatedFolder folder) {
        try {
            return PurgeMark.read(folder);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void whileTheDiskFailsNothingIsRemembered() throws IOException {
        SimulatedFolder folder = new SimulatedFolder();
        try (TestTier tier = new TestTier(folder, clock, MEMORY)) {
            put(tier, "/purged");
            forced(tier, "/wakes");
            folder.failsWrites = true;
            tier.purge("/purged");
            tier.tier.mark(REACHED);
            // tried once more, and failed, since it was noted
            clock.step(Duration.ofSeconds(20));
            forced(tier, "/other");
            forced(tier, "/another");
            folder.failsWrites = false;
            clock.step(Duration.ofSeconds(20));
            forced(tier, "/third");
            forced(tier, "/fourth");
            assertThat(PurgeMark.read(folder)).isEqualTo(PurgeMark.NONE);
            tier.tier.mark(REACHED);
            forced(tier, "/fifth");
            forced(tier, "/sixth");
            TestTier.await("the next one is", () -> written(folder));
        }
    }

    private static boolean written(SimulatedFolder folder) {
        return mark(folder).equals(REACHED);
    }
}
