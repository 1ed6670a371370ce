package io.weir.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.journal.settings.JournalFault;
import io.weir.journal.settings.JournalMessages;
import io.weir.journal.settings.JournalStats;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal whose thread terminates with an error: all callers are notified of the reason, nothing waits forever. */
class JournalDeathTest {
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
    void allThatWaitAreToldTheCause() throws Exception {
        bench.open();
        bench.append("before");
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch there = new CountDownLatch(1);
        bench.journal().append(1, Bench.text("first"), _ -> {
            there.countDown();
            await(gate);
        });
        there.await(3, TimeUnit.MINUTES);
        List<@Nullable JournalFault> told = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch all = new CountDownLatch(4);
        Completion tell = f -> {
            told.add(f);
            all.countDown();
        };
        bench.journal().append(1, Bench.text("in the same batch, before it"), tell);
        bench.journal().append(1, deadly(), tell);
        bench.journal().append(1, Bench.text("in the same batch, behind it"), tell);
        bench.journal().append(1, Bench.text("x".repeat(60_000)), tell);
        gate.countDown();
        assertThat(all.await(3, TimeUnit.MINUTES)).as("all are told").isTrue();
        assertThat(told).allSatisfy(f -> {
            assertThat(Bench.reason(f)).isEqualTo(JournalFault.Reason.DIED);
            assertThat(f).hasMessageContaining("deadly").hasMessageContaining("restart");
        });
    }

    @Test
    void everyLaterSubmissionIsRefusedWithTheCauseAndItIsSuspendedAndCounted() throws Exception {
        Journal j = bench.open();
        long id = bench.append("before").getFirst();
        assertThat(Bench.reason(die())).isEqualTo(JournalFault.Reason.DIED);
        assertThat(j.suspended()).isNotNull().hasMessageContaining("deadly");
        assertThat(bench.stats.value(JournalStats.DIED, "test")).isEqualTo(1);
        assertThat(bench.stats.value(JournalStats.SUSPENDED, "test")).isEqualTo(1);
        assertThat(bench.stats.value(JournalStats.QUEUED, "test")).isZero();
        assertThat(bench.log.count(JournalMessages.DIED)).isEqualTo(1);
        for (Group g : List.of(added(j), j.group().remove(id), j.group())) {
            assertThat(bench.submit(g)).isNotNull().hasMessageContaining("deadly");
        }
        assertThat(bench.stats.value(JournalStats.DIED, "test")).isEqualTo(1);
    }

    @Test
    void aDeadOneIsClosedAndOpenedAgainWithAllThatWasAcknowledged() throws Exception {
        bench.open();
        bench.append("before");
        die();
        bench.reopen();
        assertThat(bench.replayed.values()).containsExactly("before");
        bench.append("after");
        assertThat(bench.journal().suspended()).isNull();
    }

    @Test
    void whatAnErrorInACompletionIsDoesNotEndIt() throws Exception {
        bench.open();
        for (Throwable t : List.of(new IllegalStateException("seed"), new AssertionError("seed"))) {
            bench.journal().append(1, Bench.text("x"), _ -> Bench.sneak(t));
            bench.append("after");
        }
        assertThat(bench.journal().suspended()).isNull();
        assertThat(bench.log.count(JournalMessages.BAD_COMPLETION)).isEqualTo(2);
        assertThat(bench.stats.value(JournalStats.BAD_COMPLETIONS, "test")).isEqualTo(2);
    }

    /** As on the journal's thread: who submits is not the one who can do something about it. */
    @Test
    void whatACompletionThrowsOfARefusalDoesNotReachWhoSubmitted() throws Exception {
        bench.open();
        die();
        for (Throwable t : List.of(new IllegalStateException("seed"), new AssertionError("seed"))) {
            bench.journal().append(1, Bench.text("x"), _ -> Bench.sneak(t));
        }
        assertThat(bench.log.count(JournalMessages.BAD_COMPLETION)).isEqualTo(2);
        assertThat(bench.stats.value(JournalStats.BAD_COMPLETIONS, "test")).isEqualTo(2);
    }

    @Test
    void aCompletionThatFailsDoesNotKeepOthersFromBeingToldOfADeath() throws Exception {
        bench.open();
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch there = new CountDownLatch(1);
        bench.journal().append(1, Bench.text("first"), _ -> {
            there.countDown();
            await(gate);
        });
        // else the deadly record may be written with the first, and what follows is refused on this thread
        there.await(3, TimeUnit.MINUTES);
        CompletableFuture<@Nullable JournalFault> last = new CompletableFuture<>();
        bench.journal().append(1, deadly(), _ -> Bench.sneak(new IllegalStateException("one")));
        bench.journal().append(1, Bench.text("x".repeat(60_000)), _ -> Bench.sneak(new IllegalStateException("two")));
        bench.journal().append(1, Bench.text("x"), last::complete);
        gate.countDown();
        assertThat(Bench.reason(last.get(3, TimeUnit.MINUTES))).isEqualTo(JournalFault.Reason.DIED);
    }

    @Test
    void whatAFailedGroupWouldHaveRemovedLives() throws Exception {
        bench.open();
        List<Long> ids = bench.append("one", "two");
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch there = new CountDownLatch(1);
        bench.journal().append(1, Bench.text("first"), _ -> {
            there.countDown();
            await(gate);
        });
        // else the deadly record may be written with the first, and what follows is refused on this thread
        there.await(3, TimeUnit.MINUTES);
        Group bad = bench.journal().group();
        bad.add(1, Bench.text("half"));
        bad.remove(ids.getFirst());
        bad.add(1, new Bytes(10, b -> b.putInt(1)));
        CompletableFuture<@Nullable JournalFault> failed = new CompletableFuture<>();
        bench.journal().submit(bad, failed::complete);
        CompletableFuture<@Nullable JournalFault> good = new CompletableFuture<>();
        bench.journal().append(1, Bench.text("good"), good::complete);
        gate.countDown();
        assertThat(Bench.reason(failed.get(3, TimeUnit.MINUTES))).isEqualTo(JournalFault.Reason.BAD_PAYLOAD);
        assertThat(good.get(3, TimeUnit.MINUTES)).isNull();
        assertThat(bench.journal().liveEntries()).isEqualTo(4);
        bench.reopen();
        assertThat(bench.replayed.values()).containsExactly("one", "two", "first", "good");
    }

    private @Nullable JournalFault die() throws Exception {
        CompletableFuture<@Nullable JournalFault> told = new CompletableFuture<>();
        bench.journal().append(1, deadly(), told::complete);
        return told.get(3, TimeUnit.MINUTES);
    }

    private static Group added(Journal j) {
        Group g = j.group();
        g.add(1, Bench.text("late"));
        return g;
    }

    /** Ends the thread that writes it. */
    private static Payload deadly() {
        return new Bytes(10, _ -> {
            throw new AssertionError("deadly");
        });
    }

    private record Bytes(int length, java.util.function.Consumer<ByteBuffer> writing) implements Payload {
        @Override
        public void writeTo(ByteBuffer buffer) {
            writing.accept(buffer);
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
