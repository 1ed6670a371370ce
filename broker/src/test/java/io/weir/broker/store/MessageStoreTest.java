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
import io.weir.journal.Completion;
import io.weir.journal.Journal;
import io.weir.journal.Journals;
import io.weir.journal.Payload;
import io.weir.journal.disk.FileDisk;
import io.weir.journal.settings.JournalConfig;
import io.weir.journal.settings.JournalFault;
import io.weir.journal.settings.JournalStats;
import io.weir.wire.WireWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the broker gets back after a restart. */
@Tag("slow")
class MessageStoreTest {
    private static final QueueKey ORDERS = QueueKey.of(new DestinationName(DestinationKind.QUEUE, "orders"));
    private static final DestinationName NEWS = new DestinationName(DestinationKind.TOPIC, "news");

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
    private final Map<String, StoredSubscription> subscriptions = new TreeMap<>();
    private final Map<String, Long> entries = new TreeMap<>();
    private int orphans;
    private final ExecutorService loop = Executors.newSingleThreadExecutor();
    private final AtomicInteger hops = new AtomicInteger();
    private Stats stats = new Stats();
    private @Nullable MessageStore store;
    private @Nullable Home home;

    @BeforeEach
    void open() throws Exception {
        found.clear();
        subscriptions.clear();
        entries.clear();
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
                    public void subscription(long entry, StoredSubscription s) {
                        subscriptions.put(s.name(), s);
                        entries.put(s.name(), entry);
                    }

                    @Override
                    public void orphans(int copies) {
                        orphans = copies;
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
        assertThat(done.get(3, TimeUnit.MINUTES)).isNull();
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
        store().remove(copy);
        CompletableFuture<@Nullable JournalFault> done = new CompletableFuture<>();
        store().sync(home(), done::complete);
        assertThat(done.get(3, TimeUnit.MINUTES)).isNull();
    }

    private void mark(StoredCopy copy) throws Exception {
        CompletableFuture<@Nullable JournalFault> done = new CompletableFuture<>();
        store().mark(List.of(copy), home(), done::complete);
        assertThat(done.get(3, TimeUnit.MINUTES)).isNull();
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
        store().write(List.of(ORDERS), _ -> true, block, home(), StoreOutcome.IGNORED);
        block.release();
        reopen();
        assertThat(found)
                .extracting(Found::queues)
                .containsExactly(List.of("orders!"), List.of("orders"), List.of("orders!"));
    }

    /** A mark is written again after a write that failed; both may be on the disk. */
    @Test
    void whatIsMarkedTwiceLeavesNothing() throws Exception {
        StoredCopy marked = write("marked", ORDERS).getFirst();
        mark(marked);
        StoredCopy again = new StoredCopy(ORDERS, 0, false);
        again.message = marked.message();
        mark(again);
        assertThat(again.mark).isNotEqualTo(marked.mark);
        reopen();
        remove(found.getFirst().copies().getFirst());
        reopen();
        assertThat(found).isEmpty();
        assertThat(stats.value(JournalStats.LIVE_ENTRIES, "messages")).isZero();
    }

    @Test
    void eachSubscriptionHasItsCopyAndTheLastOneTakesAllAway() throws Exception {
        QueueKey ann = QueueKey.of(NEWS, subscribe(subscription("c", "ann", null)));
        QueueKey bob = QueueKey.of(NEWS, subscribe(subscription("c", "bob", null)));
        List<StoredCopy> copies = write("news", ann, bob);
        mark(copies.get(1));
        remove(copies.get(0));
        reopen();
        assertThat(found).extracting(Found::queues).containsExactly(List.of(bob.subscription() + "news!"));
        remove(found.getFirst().copies().getFirst());
        CompletableFuture<@Nullable JournalFault> done = new CompletableFuture<>();
        store().sync(home(), done::complete);
        done.get(3, TimeUnit.MINUTES);
        reopen();
        assertThat(found).isEmpty();
        assertThat(stats.value(JournalStats.LIVE_ENTRIES, "messages"))
                .as("the two subscriptions")
                .isEqualTo(2);
    }

    @Test
    void aMessageAcknowledgedBeforeItsBatchIsNeverWritten() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        CompletableFuture<Boolean> blocked = new CompletableFuture<>();
        store().write(List.of(ORDERS), _ -> false, new Gate(gate, blocked).block(), home(), StoreOutcome.IGNORED);
        blocked.get(3, TimeUnit.MINUTES);
        CompletableFuture<@Nullable JournalFault> sent = new CompletableFuture<>();
        StoredCopy copy = writing("fleeting", sent, ORDERS).getFirst();
        store().remove(copy);
        assertThat(sent).isNotDone();
        gate.countDown();
        assertThat(sent.get(3, TimeUnit.MINUTES)).isNull();
        assertThat(stats.value(JournalStats.SKIPPED, "messages")).isEqualTo(1);
        reopen();
        assertThat(found).extracting(Found::text).containsExactly("gate");
    }

    @Test
    void aTransactionsMessagesAndRemovalsComeTogether() throws Exception {
        StoredCopy taken = write("taken", ORDERS).getFirst();
        QueueKey ann = QueueKey.of(NEWS, subscribe(subscription("c", "ann", null)));
        QueueKey bob = QueueKey.of(NEWS, subscribe(subscription("c", "bob", null)));
        List<StoredCopy> news = write("news", ann, bob);
        StoreTransaction tx = store().transaction();
        ByteBuf block = Unpooled.copiedBuffer("sent", StandardCharsets.UTF_8);
        tx.write(List.of(ORDERS), false, block);
        block.release();
        tx.remove(taken);
        tx.remove(news.get(0));
        CompletableFuture<@Nullable JournalFault> done = new CompletableFuture<>();
        tx.commit(home(), done::complete);
        assertThat(done.get(3, TimeUnit.MINUTES)).isNull();
        reopen();
        assertThat(found).extracting(Found::text).containsExactly("news", "sent");
        assertThat(found.getFirst().queues()).containsExactly(bob.subscription() + "news");
    }

    @Test
    void aTransactionThatIsRolledBackLeavesNothingAndLeaksNothing() throws Exception {
        StoredCopy taken = write("taken", ORDERS).getFirst();
        StoreTransaction tx = store().transaction();
        ByteBuf block = Unpooled.copiedBuffer("sent", StandardCharsets.UTF_8);
        tx.write(List.of(ORDERS), false, block);
        tx.remove(taken);
        tx.rollback();
        assertThat(block.refCnt()).isEqualTo(1);
        block.release();
        reopen();
        assertThat(found).extracting(Found::text).containsExactly("taken");
    }

    private static StoredSubscription subscription(String client, String name, @Nullable String selector) {
        return StoredSubscription.fresh(NEWS, name, client, selector, false, null);
    }

    private long subscribe(StoredSubscription s, long... replaced) throws Exception {
        CompletableFuture<@Nullable JournalFault> done = new CompletableFuture<>();
        long entry = store().subscribe(s, replaced, home(), done::complete);
        assertThat(done.get(3, TimeUnit.MINUTES)).isNull();
        return entry;
    }

    @Test
    void subscriptionsComeBackUntilTheyAreForgotten() throws Exception {
        long ann = subscribe(subscription("client", "ann", "colour = 'red'"));
        long bob = subscribe(StoredSubscription.fresh(NEWS, "bob", null, null, true, "x"));
        reopen();
        assertThat(subscriptions.keySet()).containsExactly("ann", "bob");
        assertThat(entries).containsEntry("ann", ann).containsEntry("bob", bob);
        assertThat(subscriptions.get("ann"))
                .isEqualTo(
                        new StoredSubscription("#" + ann, NEWS, "ann", "client", false, "colour = 'red'", false, null));
        subscribe(subscription("client", "ann", null), ann);
        CompletableFuture<@Nullable JournalFault> done = new CompletableFuture<>();
        store().unsubscribe(bob, home(), done::complete);
        assertThat(done.get(3, TimeUnit.MINUTES)).isNull();
        reopen();
        assertThat(subscriptions.keySet()).containsExactly("ann");
        assertThat(String.valueOf(subscriptions.get("ann"))).contains("selector=null");
    }

    @Test
    void whatWasSentToAnEarlierIncarnationOfASubscriptionIsNobodys() throws Exception {
        long first = subscribe(subscription("c", "s", "a = 1"));
        long bob = subscribe(subscription("c", "bob", null));
        write("for both", QueueKey.of(NEWS, first), QueueKey.of(NEWS, bob));
        write("for the first", QueueKey.of(NEWS, first));
        long second = subscribe(subscription("c", "s", "a = 2"), first);
        write("for the second", QueueKey.of(NEWS, second));
        reopen();
        assertThat(found).extracting(Found::text).containsExactly("for both", "for the second");
        assertThat(found.getFirst().copies()).hasSize(1);
        assertThat(orphans).isEqualTo(2);
        store().sync(home(), StoreOutcome.IGNORED);
        reopen();
        assertThat(found).extracting(Found::text).containsExactly("for both", "for the second");
        assertThat(orphans).as("they were removed").isZero();
    }

    @Test
    void storesOfTheFirstFormatAreReadAndNamesToldApartWhereThatCanBe() throws Exception {
        store().close();
        Journals.Parts parts = new Journals.Parts(
                new FileDisk(directory), SystemClock.INSTANCE, Chance.seeded(2), new Stats(), new RecordingLog());
        try (Journal old =
                Journals.open("messages", ConfigBinder.defaults(JournalConfig.class), parts, (_, _, _) -> {})) {
            for (String[] each :
                    new String[][] {{"shop.orders", null}, {"shop.eu.orders", null}, {".all", null}, {"a.b.c", "a.b"}
                    }) {
                old.append(StoreFormat.SUBSCRIPTION_JOINED, Payload.of(joined(each[0], each[1])), Completion.NONE);
            }
        }
        open();
        assertThat(subscriptions.values())
                .extracting(s -> s.clientId() + "|" + s.name() + "|" + s.ambiguous() + "|" + s.queue())
                .containsExactly(
                        "null|all|false|.all",
                        "a.b|c|false|a.b.c",
                        "shop|orders|false|shop.orders",
                        "null|shop.eu.orders|true|shop.eu.orders");
        write("to an old one", new QueueKey(NEWS, "shop.eu.orders"));
        write("to one that was deleted by the old version", new QueueKey(NEWS, "shop.x"));
        reopen();
        assertThat(found).extracting(Found::text).containsExactly("to an old one");
    }

    /** A subscription as the first format has it: identifier, dot and name are one. */
    private static byte[] joined(String key, @Nullable String noLocal) {
        ByteBuf old = Unpooled.buffer();
        WireWriter.text(old, key);
        NEWS.write(old);
        WireWriter.text(old, key);
        WireWriter.optionalText(old, null);
        WireWriter.optionalText(old, "a = 1");
        old.writeBoolean(false);
        WireWriter.optionalText(old, noLocal);
        byte[] bytes = new byte[old.readableBytes()];
        old.readBytes(bytes);
        return bytes;
    }

    @Test
    void outcomesOfABatchComeWithOneHop() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        CompletableFuture<Boolean> blocked = new CompletableFuture<>();
        store().write(List.of(ORDERS), _ -> false, new Gate(gate, blocked).block(), home(), StoreOutcome.IGNORED);
        blocked.get(3, TimeUnit.MINUTES);
        int before = hops.get();
        List<CompletableFuture<@Nullable JournalFault>> all = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            CompletableFuture<@Nullable JournalFault> done = new CompletableFuture<>();
            writing("m" + i, done, ORDERS);
            all.add(done);
        }
        gate.countDown();
        for (CompletableFuture<@Nullable JournalFault> done : all) {
            assertThat(done.get(3, TimeUnit.MINUTES)).isNull();
        }
        assertThat(hops.get() - before).isLessThanOrEqualTo(2);
    }

    @Test
    void aRefusedWriteIsToldOnTheLoopAndReleasesTheBlock() throws Exception {
        store().close();
        CompletableFuture<@Nullable JournalFault> done = new CompletableFuture<>();
        ByteBuf block = Unpooled.copiedBuffer("late", StandardCharsets.UTF_8);
        store().write(List.of(ORDERS), _ -> false, block, home(), done::complete);
        assertThat(done.thenApply(f -> f == null ? null : f.reason()).get(3, TimeUnit.MINUTES))
                .isEqualTo(JournalFault.Reason.CLOSED);
        assertThat(block.refCnt()).isEqualTo(1);
        block.release();
    }
}
