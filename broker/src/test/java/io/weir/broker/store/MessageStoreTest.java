package io.weir.broker.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.base.Chance;
import io.weir.base.ConfigBinder;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.base.SystemClock;
import io.weir.jms.frames.DestinationKind;
import io.weir.jms.frames.DestinationName;
import io.weir.journal.JournalConfig;
import io.weir.journal.JournalFault;
import io.weir.journal.JournalStats;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the broker gets back after a restart. */
class MessageStoreTest {
    private static final QueueKey ORDERS = QueueKey.of(new DestinationName(DestinationKind.QUEUE, "orders"));
    private static final DestinationName NEWS = new DestinationName(DestinationKind.TOPIC, "news");
    private static final QueueKey ANN = new QueueKey(NEWS, "ann");
    private static final QueueKey BOB = new QueueKey(NEWS, "bob");

    @TempDir
    Path directory = Path.of(".");

    /** A message as the broker is given it at a start. */
    private record Found(String text, List<StoredCopy> copies) {
        List<String> queues() {
            return copies.stream()
                    .map(c -> c.queue().subscription() + c.queue().destination().name() + (c.dispatched() ? "!" : ""))
                    .toList();
        }
    }

    private final List<Found> found = new ArrayList<>();
    private final List<StoredSubscription> subscriptions = new ArrayList<>();
    private final ExecutorService loop = Executors.newSingleThreadExecutor();
    private final AtomicInteger hops = new AtomicInteger();
    private Stats stats = new Stats();
    private @Nullable MessageStore store;
    private @Nullable Home home;

    @BeforeEach
    void open() throws Exception {
        found.clear();
        subscriptions.clear();
        stats = new Stats();
        MessageStore opened = MessageStore.open(
                "messages",
                directory,
                ConfigBinder.defaults(JournalConfig.class),
                SystemClock.INSTANCE,
                Chance.seeded(1),
                stats,
                new RecordingLog(),
                new Contents() {
                    @Override
                    public void subscription(StoredSubscription s) {
                        subscriptions.add(s);
                    }

                    @Override
                    public void message(List<StoredCopy> copies, ByteBuf block) {
                        found.add(new Found(block.toString(StandardCharsets.UTF_8), copies));
                        block.release();
                    }
                });
        store = opened;
        home = opened.home(task -> {
            hops.incrementAndGet();
            loop.execute(task);
        });
    }

    @AfterEach
    void close() {
        loop.shutdown();
        store().close();
    }

    private void reopen() throws Exception {
        store().close();
        open();
    }

    private MessageStore store() {
        MessageStore s = store;
        if (s == null) {
            throw new IllegalStateException("not open");
        }
        return s;
    }

    private Home home() {
        Home h = home;
        if (h == null) {
            throw new IllegalStateException("not open");
        }
        return h;
    }

    private List<StoredCopy> write(String text, QueueKey... queues) throws Exception {
        CompletableFuture<@Nullable JournalFault> done = new CompletableFuture<>();
        List<StoredCopy> copies = writing(text, done, queues);
        assertThat(done.get(20, TimeUnit.SECONDS)).isNull();
        return copies;
    }

    private List<StoredCopy> writing(String text, CompletableFuture<@Nullable JournalFault> done, QueueKey... queues) {
        ByteBuf block = Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
        try {
            return store().write(List.of(queues), _ -> false, block, home(), done::complete);
        } finally {
            block.release();
        }
    }

    private void remove(StoredCopy copy) throws Exception {
        CompletableFuture<@Nullable JournalFault> done = new CompletableFuture<>();
        store().remove(copy, home(), done::complete);
        assertThat(done.get(20, TimeUnit.SECONDS)).isNull();
    }

    private void mark(StoredCopy copy) throws Exception {
        CompletableFuture<@Nullable JournalFault> done = new CompletableFuture<>();
        store().mark(List.of(copy), home(), done::complete);
        assertThat(done.get(20, TimeUnit.SECONDS)).isNull();
    }

    @Test
    void messagesComeBackInOrderAndRemovedOnesDoNot() throws Exception {
        write("one", ORDERS);
        StoredCopy two = write("two", ORDERS).getFirst();
        write("three", ORDERS);
        remove(two);
        reopen();
        assertThat(found).extracting(Found::text).containsExactly("one", "three");
        remove(found.getFirst().copies().getFirst());
        reopen();
        assertThat(found).extracting(Found::text).containsExactly("three");
    }

    @Test
    void onlyWhatMayHaveBeenDeliveredIsFlagged() throws Exception {
        StoredCopy marked = write("marked", ORDERS).getFirst();
        write("untouched", ORDERS);
        mark(marked);
        assertThat(marked.dispatched()).isTrue();
        ByteBuf block = Unpooled.copiedBuffer("at once", StandardCharsets.UTF_8);
        store().write(List.of(ORDERS), _ -> true, block, home(), Outcome.IGNORED);
        block.release();
        reopen();
        assertThat(found)
                .extracting(Found::queues)
                .containsExactly(List.of("orders!"), List.of("orders"), List.of("orders!"));
    }

    @Test
    void eachSubscriptionHasItsCopyAndTheLastOneTakesAllAway() throws Exception {
        List<StoredCopy> copies = write("news", ANN, BOB);
        mark(copies.get(1));
        remove(copies.get(0));
        reopen();
        assertThat(found).extracting(Found::queues).containsExactly(List.of("bobnews!"));
        remove(found.getFirst().copies().getFirst());
        CompletableFuture<@Nullable JournalFault> done = new CompletableFuture<>();
        store().sync(home(), done::complete);
        done.get(20, TimeUnit.SECONDS);
        reopen();
        assertThat(found).isEmpty();
        assertThat(stats.value(JournalStats.LIVE_ENTRIES, "messages")).isZero();
    }

    @Test
    void aMessageAcknowledgedBeforeItsBatchIsNeverWritten() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        CompletableFuture<Boolean> blocked = new CompletableFuture<>();
        store().write(List.of(ORDERS), _ -> false, new Gate(gate, blocked).block(), home(), Outcome.IGNORED);
        blocked.get(20, TimeUnit.SECONDS);
        CompletableFuture<@Nullable JournalFault> sent = new CompletableFuture<>();
        StoredCopy copy = writing("fleeting", sent, ORDERS).getFirst();
        remove(copy);
        assertThat(sent).isNotDone();
        gate.countDown();
        assertThat(sent.get(20, TimeUnit.SECONDS)).isNull();
        assertThat(stats.value(JournalStats.SKIPPED, "messages")).isEqualTo(1);
        reopen();
        assertThat(found).extracting(Found::text).containsExactly("gate");
    }

    @Test
    void aTransactionsMessagesAndRemovalsComeTogether() throws Exception {
        StoredCopy taken = write("taken", ORDERS).getFirst();
        List<StoredCopy> news = write("news", ANN, BOB);
        StoreTransaction tx = store().transaction();
        ByteBuf block = Unpooled.copiedBuffer("sent", StandardCharsets.UTF_8);
        tx.write(List.of(ORDERS), block);
        block.release();
        tx.remove(taken);
        tx.remove(news.get(0));
        CompletableFuture<@Nullable JournalFault> done = new CompletableFuture<>();
        tx.commit(home(), done::complete);
        assertThat(done.get(20, TimeUnit.SECONDS)).isNull();
        reopen();
        assertThat(found).extracting(Found::text).containsExactly("news", "sent");
        assertThat(found.getFirst().queues()).containsExactly("bobnews");
    }

    @Test
    void aTransactionThatIsRolledBackLeavesNothingAndLeaksNothing() throws Exception {
        StoredCopy taken = write("taken", ORDERS).getFirst();
        StoreTransaction tx = store().transaction();
        ByteBuf block = Unpooled.copiedBuffer("sent", StandardCharsets.UTF_8);
        tx.write(List.of(ORDERS), block);
        tx.remove(taken);
        tx.rollback();
        assertThat(block.refCnt()).isEqualTo(1);
        block.release();
        reopen();
        assertThat(found).extracting(Found::text).containsExactly("taken");
    }

    @Test
    void subscriptionsComeBackUntilTheyAreForgotten() throws Exception {
        StoredSubscription ann = new StoredSubscription("ann", NEWS, "s", "client", "colour = 'red'", false, null);
        StoredSubscription bob = new StoredSubscription("bob", NEWS, "t", null, null, true, "x");
        store().subscribe(ann, home(), Outcome.IGNORED);
        store().subscribe(bob, home(), Outcome.IGNORED);
        reopen();
        assertThat(subscriptions).containsExactly(ann, bob);
        StoredSubscription changed = new StoredSubscription("ann", NEWS, "s", "client", null, false, null);
        store().subscribe(changed, home(), Outcome.IGNORED);
        store().unsubscribe("bob", home(), Outcome.IGNORED);
        reopen();
        assertThat(subscriptions).containsExactly(changed);
    }

    @Test
    void outcomesOfABatchComeWithOneHop() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        CompletableFuture<Boolean> blocked = new CompletableFuture<>();
        store().write(List.of(ORDERS), _ -> false, new Gate(gate, blocked).block(), home(), Outcome.IGNORED);
        blocked.get(20, TimeUnit.SECONDS);
        int before = hops.get();
        List<CompletableFuture<@Nullable JournalFault>> all = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            CompletableFuture<@Nullable JournalFault> done = new CompletableFuture<>();
            writing("m" + i, done, ORDERS);
            all.add(done);
        }
        gate.countDown();
        for (CompletableFuture<@Nullable JournalFault> done : all) {
            assertThat(done.get(20, TimeUnit.SECONDS)).isNull();
        }
        assertThat(hops.get() - before).isLessThanOrEqualTo(2);
    }

    @Test
    void aRefusedWriteIsToldOnTheLoopAndReleasesTheBlock() throws Exception {
        store().close();
        CompletableFuture<@Nullable JournalFault> done = new CompletableFuture<>();
        ByteBuf block = Unpooled.copiedBuffer("late", StandardCharsets.UTF_8);
        store().write(List.of(ORDERS), _ -> false, block, home(), done::complete);
        assertThat(done.thenApply(f -> f == null ? null : f.reason()).get(20, TimeUnit.SECONDS))
                .isEqualTo(JournalFault.Reason.CLOSED);
        assertThat(block.refCnt()).isEqualTo(1);
        block.release();
    }
}
