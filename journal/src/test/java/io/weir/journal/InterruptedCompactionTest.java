package io.weir.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.journal.disk.ScriptedDisk;
import io.weir.journal.settings.JournalStats;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A segment of removals is emptied over several batches, and the write of one of them fails. */
class InterruptedCompactionTest {
    /** Its steps: at first all goes well. */
    private static final int FAILING = 1;

    private static final int AGAIN = 2;
    /** Groups that are written until compaction had its turn, and the groups in which it ends. */
    private static final int MOST = 20_000;

    private static final int ENOUGH = 50;

    @TempDir
    Path directory = Path.of(".");

    /** A disk that writes until some removals are moved, not for the next batch, and again from then on. */
    private static final class Interrupted implements ScriptedDisk.Script {
        final AtomicInteger step = new AtomicInteger();

        @Override
        public void creating(int number) {
            // goes well
        }

        @Override
        public void writing() throws IOException {
            if (step.get() == FAILING) {
                throw new IOException("Input/output error");
            }
        }

        void afterBatch(Bench bench) {
            if (step.get() == FAILING || bench.stats.value(JournalStats.RELOCATED, "test") > 0) {
                step.set(Math.min(step.get() + 1, AGAIN));
            }
        }
    }

    @Test
    void whatWasRemovedStaysRemoved() throws Exception {
        try (Bench bench = new Bench(directory)) {
            Interrupted disk = new Interrupted();
            bench.script = disk;
            bench.open();
            bench.journal().afterBatch(() -> disk.afterBatch(bench));
            List<Long> ids = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                ids.addAll(add(bench, 100, "e"));
            }
            Set<Long> left = new HashSet<>(ids);
            List<Long> spill = add(bench, 80, "s".repeat(600));
            left.addAll(spill.subList(0, 40));
            // the segment that has the removals of the first eight hundred, and little that lives
            for (int i = 0; i < 8; i++) {
                int from = (i < 4 ? 0 : 800) + i * 100;
                bench.remove(ids.subList(from, from + 100));
                left.removeAll(new HashSet<>(ids.subList(from, from + 100)));
            }
            bench.remove(add(bench, 120, "f".repeat(600)));
            bench.remove(spill.subList(40, 80));
            int since = 0;
            for (int i = 0; i < MOST && since < ENOUGH; i++) {
                Group g = bench.journal().group();
                long id = g.add(1, Bench.text("after"));
                if (bench.submit(g) == null) {
                    left.add(id);
                }
                since += disk.step.get() == AGAIN ? 1 : 0;
            }
            assertThat(disk.step.get()).as("a write failed").isEqualTo(AGAIN);
            bench.reopen();
            assertThat(bench.replayed.keySet()).containsExactlyInAnyOrderElementsOf(left);
        }
    }

    private static List<Long> add(Bench bench, int count, String text) throws Exception {
        List<Long> ids = new ArrayList<>();
        for (int done = 0; done < count; done += 20) {
            Group g = bench.journal().group();
            for (int i = done; i < done + 20; i++) {
                ids.add(g.add(1, Bench.text(text + i)));
            }
            assertThat(bench.submit(g)).isNull();
        }
        return ids;
    }
}
