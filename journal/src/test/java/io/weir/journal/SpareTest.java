package io.weir.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SteppedClock;
import io.weir.base.SystemClock;
import io.weir.journal.settings.JournalFault;
import io.weir.journal.settings.JournalStats;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The segment that is prepared in the background, and what the journal's thread makes of its failures. */
class SpareTest {
    @TempDir
    Path directory = Path.of(".");

    private Bench bench = new Bench(directory);

    @BeforeEach
    void make() {
        bench = new Bench(directory);
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void anErrorWhileASegmentIsPreparedIsMetByMakingAnother() throws Exception {
        bench.script = n -> {
            if (n == 2) {
                throw new OutOfMemoryError("seed");
            }
        };
        bench.open();
        for (int i = 0; i < 100; i++) {
            bench.append("x".repeat(1000));
        }
        assertThat(bench.stats.value(JournalStats.DIED, "test")).isZero();
    }

    /** On a full disk a small segment is made for removals, the next one is being prepared, and that fails, too. */
    @Test
    void aSpareThatFailsWhileItIsGivenUpDoesNotEndTheJournal() throws Exception {
        bench.clock = new SteppedClock(0);
        bench.script = n -> {
            if (n == 5) {
                untilTheJournalWaits();
            }
            if (n == 2 || n == 3 || n == 5) {
                throw new IOException("No space left on device");
            }
        };
        bench.open();
        fill();
        CompletableFuture<@Nullable JournalFault> second = new CompletableFuture<>();
        Group first = removals(2000);
        Group next = removals(2000);
        bench.journal().submit(first, _ -> bench.journal().submit(next, second::complete));
        assertThat(second.get(3, TimeUnit.MINUTES)).isNull();
        assertThat(bench.stats.value(JournalStats.DIED, "test")).isZero();
    }

    private void fill() throws Exception {
        @Nullable JournalFault fault = null;
        for (int i = 0; i < 100 && fault == null; i++) {
            Group g = bench.journal().group();
            g.add(1, Bench.text("x".repeat(1000)));
            fault = bench.submit(g);
        }
        assertThat(Bench.reason(fault)).isEqualTo(JournalFault.Reason.DISK_FULL);
    }

    /** More than what is left of any segment here. */
    private Group removals(int count) {
        Group g = bench.journal().group();
        for (int i = 0; i < count; i++) {
            g.remove(1_000_000 + i);
        }
        return g;
    }

    private static void untilTheJournalWaits() {
        Thread journal = Thread.getAllStackTraces().keySet().stream()
                .filter(t -> t.getName().equals("weir.journal.test"))
                .findFirst()
                .orElseThrow();
        long until = SystemClock.INSTANCE.nanos() + TimeUnit.MINUTES.toNanos(3);
        while (journal.getState() != Thread.State.WAITING && SystemClock.INSTANCE.nanos() < until) {
            Thread.onSpinWait();
        }
    }
}
