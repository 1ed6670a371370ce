package io.weir.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.Fence;
import io.weir.base.Histogram;
import io.weir.journal.settings.JournalFault;
import io.weir.journal.settings.JournalStats;
import io.weir.journal.settings.WritePolicy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a journal promises while nothing fails. */
class JournalTest {
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

    @ParameterizedTest
    @EnumSource
    void entriesAreReplayedInOrderWithTheirIds(WritePolicy policy) throws Exception {
        bench.policy = policy;
        bench.open();
        List<Long> ids = bench.append("one", "two", "three", "");
        bench.remove(List.of(ids.get(1)));
        bench.reopen();
        assertThat(bench.replayed)
                .containsExactlyInAnyOrderEntriesOf(Map.of(ids.get(0), "one", ids.get(2), "three", ids.get(3), ""));
        assertThat(bench.replayed.keySet()).containsExactly(ids.get(0), ids.get(2), ids.get(3));
        assertThat(bench.append("four").get(0)).as("ids are never used again").isGreaterThan(ids.get(3));
    }

    @Test
    void idsAreNotUsedAgainWhenEverythingWasRemoved() throws Exception {
        bench.open();
        List<Long> ids = bench.append("one", "two");
        bench.remove(ids);
        bench.checkpoint();
        bench.reopen();
        assertThat(bench.append("three").get(0)).isGreaterThan(ids.get(1));
    }

    @Test
    void theWritersThreadSaysWhatItIs() throws Exception {
        bench.open();
        CompletableFuture<String> thread = new CompletableFuture<>();
        bench.journal()
                .append(
                        1,
                        Bench.text("x"),
                        _ -> thread.complete(Thread.currentThread().getName()));
        assertThat(thread.get(3, TimeUnit.MINUTES)).isEqualTo("weir.journal.test");
    }

    @Test
    void whatWaitsIsForcedTogetherAndCompletedInOrderWithOneCallBehindTheBatch() throws Exception {
        bench.open();
        bench.append("warm");
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(100);
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        AtomicInteger batches = new AtomicInteger();
        bench.journal().append(1, Bench.text("first"), _ -> await(gate));
        bench.journal().afterBatch(batches::incrementAndGet);
        for (int i = 0; i < 100; i++) {
            int n = i;
            bench.journal().append(1, Bench.text("m" + i), _ -> {
                order.add(n);
                done.countDown();
            });
        }
        long forces = bench.stats.value(JournalStats.FORCES, "test");
        gate.countDown();
        assertThat(done.await(3, TimeUnit.MINUTES)).isTrue();
        assertThat(bench.stats.value(JournalStats.FORCES, "test") - forces).isLessThanOrEqualTo(2);
        assertThat(order).isSorted().hasSize(100);
        bench.checkpoint();
        assertThat(batches.get()).isLessThanOrEqualTo(4);
    }

    @Test
    void whatNobodyWantsAnyMoreIsNeverWritten() throws Exception {
        bench.open();
        bench.append("warm");
        long bytes = bench.stats.value(JournalStats.BYTES, "test");
        AtomicInteger released = new AtomicInteger();
        Group g = bench.journal().group();
        g.add(1, new Payload() {
            @Override
            public int length() {
                return 5000;
            }

            @Override
            public void writeTo(ByteBuffer buffer) {
                throw new AssertionError("written");
            }

            @Override
            public boolean wanted() {
                return false;
            }

            @Override
            public void release() {
                released.incrementAndGet();
            }
        });
        assertThat(bench.submit(g)).isNull();
        assertThat(released).hasValue(1);
        assertThat(bench.stats.value(JournalStats.BYTES, "test")).isEqualTo(bytes);
        assertThat(bench.stats.value(JournalStats.SKIPPED, "test")).isEqualTo(1);
        bench.reopen();
        assertThat(bench.replayed.values()).containsExactly("warm");
    }

    @Test
    void theQueueIsBoundedAndSaysSo() throws Exception {
        bench.queueGroups = 10;
        bench.open();
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch there = new CountDownLatch(1);
        bench.journal().append(1, Bench.text("first"), _ -> {
            there.countDown();
            await(gate);
        });
        there.await(3, TimeUnit.MINUTES);
        List<JournalFault> faults = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < 15; i++) {
            bench.journal().append(1, Bench.text("m" + i), f -> note(faults, f));
        }
        assertThat(faults).hasSize(5).allMatch(f -> f.reason() == JournalFault.Reason.QUEUE_FULL);
        bench.journal().remove(1, f -> note(faults, f));
        assertThat(faults).as("removals make room and are taken").hasSize(5);
        assertThat(bench.stats.value(JournalStats.REFUSED, "test", "QUEUE_FULL"))
                .isEqualTo(5);
        assertThat(bench.stats.value(JournalStats.QUEUED, "test")).isEqualTo(11);
        gate.countDown();
        bench.checkpoint();
        assertThat(bench.stats.value(JournalStats.QUEUED, "test")).isZero();
        assertThat(bench.stats.value(JournalStats.QUEUED_BYTES, "test")).isZero();
    }

    @Test
    void aGroupOverTheBoundIsRefusedAndOneAtTheBoundIsTaken() throws Exception {
        bench.open();
        Group big = bench.journal().group();
        big.add(1, Payload.of(new byte[(256 << 10) - 48]));
        assertThat(bench.submit(big)).as("larger than a segment, too").isNull();
        Group over = bench.journal().group();
        over.add(1, Payload.of(new byte[(256 << 10) - 47]));
        JournalFault fault = bench.submit(over);
        assertThat(Bench.reason(fault)).isEqualTo(JournalFault.Reason.TOO_LARGE);
        bench.reopen();
        assertThat(bench.replayed).hasSize(1);
    }

    @Test
    void aPayloadThatFailsFailsItsGroupOnly() throws Exception {
        bench.open();
        Group bad = bench.journal().group();
        bad.add(1, Bench.text("half"));
        bad.add(1, new Payload() {
            @Override
            public int length() {
                return 10;
            }

            @Override
            public void writeTo(ByteBuffer buffer) {
                buffer.putInt(1);
            }
        });
        JournalFault fault = bench.submit(bad);
        assertThat(Bench.reason(fault)).isEqualTo(JournalFault.Reason.BAD_PAYLOAD);
        bench.append("good");
        bench.reopen();
        assertThat(bench.replayed.values()).containsExactly("good");
    }

    @Test
    void aFormerOwnersFenceIsRefusedAlsoAfterARestart() throws Exception {
        bench.open();
        assertThat(fenced(new Fence(2, 5), "new owner")).isNull();
        JournalFault fault = fenced(new Fence(2, 4), "former owner");
        assertThat(Bench.reason(fault)).isEqualTo(JournalFault.Reason.STALE_FENCE);
        bench.reopen();
        assertThat(fenced(new Fence(1, 9), "older epoch")).isNotNull();
        assertThat(fenced(new Fence(3, 0), "next epoch")).isNull();
        bench.reopen();
        assertThat(bench.replayed.values()).containsExactly("new owner", "next epoch");
    }

    @Test
    void aFenceIsRememberedWhenNothingOfItsOwnerIsLeft() throws Exception {
        bench.open();
        assertThat(fenced(new Fence(2, 5), "new owner")).isNull();
        for (int i = 0; i < 300; i++) {
            bench.append("x".repeat(1000));
        }
        bench.reopen();
        bench.remove(List.copyOf(bench.replayed.keySet()));
        bench.checkpoint();
        assertThat(bench.journal().liveEntries()).isZero();
        bench.append("after");
        bench.checkpoint();
        bench.reopen();
        JournalFault fault = fenced(new Fence(2, 4), "former owner");
        assertThat(Bench.reason(fault)).isEqualTo(JournalFault.Reason.STALE_FENCE);
    }

    private @Nullable JournalFault fenced(Fence fence, String text) throws Exception {
        Group g = bench.journal().group().fenced(fence);
        g.add(1, Bench.text(text));
        return bench.submit(g);
    }

    /** The checkpoint of a close is a group as any other: its commit time is no hour. */
    @Test
    void closingIsNoSlowCommit() throws Exception {
        bench.open();
        bench.append("one");
        bench.close();
        Histogram commits = bench.stats.histogram(JournalStats.COMMIT_TIME, "test");
        assertThat(commits.count()).isEqualTo(2);
        assertThat(commits.countsUpTo(TimeUnit.MINUTES.toNanos(10))).containsExactly(2);
    }

    @Test
    void whatIsLiveIsKnownAfterARestart() throws Exception {
        bench.open();
        bench.append("one");
        bench.checkpoint();
        bench.reopen();
        assertThat(bench.stats.value(JournalStats.LIVE_ENTRIES, "test")).isOne();
        assertThat(bench.stats.value(JournalStats.LIVE, "test")).isPositive();
    }

    @Test
    void diskIsGivenBackWhenEverythingIsRemoved() throws Exception {
        bench.open();
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            ids.addAll(bench.append("x".repeat(1000)));
        }
        assertThat(bench.journal().diskBytes()).isGreaterThan(600_000);
        bench.remove(ids);
        bench.checkpoint();
        bench.append("one more");
        bench.checkpoint();
        assertThat(bench.journal().diskBytes())
                .as("the active and the prepared one")
                .isEqualTo(2 * bench.segment);
        bench.close();
        assertThat(bench.segments()).hasSize(1);
        bench.open();
        assertThat(bench.replayed.values()).containsExactly("one more");
    }

    @Test
    void segmentsInWhichLittleLivesAreEmptiedWhileAppendsGoOn() throws Exception {
        bench.open();
        List<Long> kept = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            List<Long> ids = bench.append("y".repeat(1000) + i);
            if (i % 50 == 0) {
                kept.addAll(ids);
            } else {
                bench.remove(ids);
            }
        }
        bench.checkpoint();
        assertThat(bench.stats.value(JournalStats.RELOCATED, "test")).isPositive();
        assertThat(bench.journal().diskBytes()).isLessThan(6 * bench.segment);
        bench.reopen();
        assertThat(bench.replayed.keySet()).containsExactlyElementsOf(kept);
        bench.remove(kept);
        bench.reopen();
        assertThat(bench.replayed).as("no older copy comes back").isEmpty();
    }

    @Test
    void theDirectoryIsForOneJournal() throws Exception {
        bench.open();
        assertThatThrownBy(() -> new Bench(directory).open())
                .isInstanceOfSatisfying(
                        JournalFault.class, f -> assertThat(f.reason()).isEqualTo(JournalFault.Reason.LOCKED))
                .hasMessageContaining("in use");
        bench.reopen();
    }

    @Test
    void aClosedJournalRefusesAndWhatWasSubmittedBeforeIsWritten() throws Exception {
        Journal j = bench.open();
        AtomicInteger done = new AtomicInteger();
        for (int i = 0; i < 500; i++) {
            j.append(1, Bench.text("m" + i), f -> {
                if (f == null) {
                    done.incrementAndGet();
                }
            });
        }
        bench.close();
        assertThat(done).hasValue(500);
        List<JournalFault> faults = new ArrayList<>();
        j.append(1, Bench.text("late"), f -> note(faults, f));
        assertThat(faults).hasSize(1).allMatch(f -> f.reason() == JournalFault.Reason.CLOSED);
        bench.open();
        assertThat(bench.replayed).hasSize(500);
    }

    @Test
    void theDiskThatItMayTakeIsBounded() throws Exception {
        bench.total = 4 * bench.segment;
        bench.open();
        JournalFault fault = null;
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 1000 && fault == null; i++) {
            Group g = bench.journal().group();
            ids.add(g.add(1, Payload.of(new byte[1000])));
            fault = bench.submit(g);
        }
        assertThat(Bench.reason(fault)).isEqualTo(JournalFault.Reason.DISK_FULL);
        assertThat(fault).hasMessageContaining("max-total-size");
        assertThat(bench.journal().diskBytes()).isLessThanOrEqualTo(bench.total);
        ids.removeLast();
        bench.remove(ids);
        bench.checkpoint();
        bench.append("again");
    }

    private static void note(List<JournalFault> faults, @Nullable JournalFault f) {
        if (f != null) {
            faults.add(f);
        }
    }

    private static void await(CountDownLatch gate) {
        try {
            gate.await(3, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
