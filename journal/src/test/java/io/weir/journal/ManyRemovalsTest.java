package io.weir.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.journal.segment.Records;
import io.weir.journal.settings.JournalFault;
import io.weir.journal.settings.JournalStats;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Groups of very many removals, near the size of the I/O buffer, over it, and while what they remove is moved. */
class ManyRemovalsTest {
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

    /** The buffer's size is 2,048 pairs; each one moved in the meantime adds one. */
    @ParameterizedTest
    @CsvSource({
        "1400, false",
        "1560, false",
        "1640, false",
        "1690, false",
        "2500, false",
        "1400, true",
        "1560, true",
        "1640, true",
        "1690, true",
        "2500, true"
    })
    void whatCompactionMovesInTheSameBatchIsRemovedWithItsCopies(int removals, boolean adds) throws Exception {
        bench.open();
        List<Long> ids = small(3600);
        CompletableFuture<@Nullable JournalFault> removed = new CompletableFuture<>();
        List<Long> some = ids.subList(690, 690 + removals);
        Set<Long> left = new HashSet<>(ids.subList(690 + removals, ids.size()));
        AtomicBoolean told = new AtomicBoolean();
        bench.journal().afterBatch(() -> {
            // compaction is in the middle of the first segment: the next batch begins with this group
            if (bench.stats.value(JournalStats.RELOCATED, "test") > 0 && told.compareAndSet(false, true)) {
                Group g = bench.journal().group();
                some.forEach(g::remove);
                if (adds) {
                    left.add(g.add(1, Bench.text("added")));
                }
                bench.journal().submit(g, removed::complete);
            }
        });
        bench.remove(ids.subList(0, 690));
        assertThat(removed.get(3, TimeUnit.MINUTES)).isNull();
        assertThat(bench.journal().suspended()).isNull();
        left.addAll(bench.append("after"));
        bench.reopen();
        assertThat(bench.replayed.keySet()).containsExactlyInAnyOrderElementsOf(left);
    }

    @Test
    void aGroupThatRemovesTheSameAgainAndAgainIsTaken() throws Exception {
        bench.open();
        List<Long> ids = small(2000);
        Group g = bench.journal().group();
        for (int i = 0; i < 5; i++) {
            ids.forEach(g::remove);
        }
        assertThat(bench.submit(g)).isNull();
        bench.checkpoint();
        bench.append("after");
        bench.reopen();
        assertThat(bench.replayed.values()).containsExactly("after");
    }

    @Test
    void removalsCountAgainstTheBoundOfAGroup() throws Exception {
        bench.open();
        Group g = bench.journal().group();
        for (int i = 0; i <= (256 << 10) / Records.REMOVAL_BYTES; i++) {
            g.remove(i + 1);
        }
        assertThat(Bench.reason(bench.submit(g))).isEqualTo(JournalFault.Reason.TOO_LARGE);
        bench.append("after");
    }

    /** Entries of 56 bytes, a thousand and some for each segment. */
    private List<Long> small(int count) throws Exception {
        List<Long> ids = new ArrayList<>();
        for (int done = 0; done < count; done += 100) {
            Group g = bench.journal().group();
            for (int i = 0; i < 100; i++) {
                ids.add(g.add(1, Bench.text("e" + (done + i))));
            }
            assertThat(bench.submit(g)).isNull();
        }
        return ids;
    }
}
