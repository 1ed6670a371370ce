package io.weir.broker.store;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.journal.Completion;
import io.weir.journal.FileDisk;
import io.weir.journal.Group;
import io.weir.journal.Journal;
import io.weir.journal.JournalConfig;
import io.weir.journal.JournalFault;
import io.weir.journal.Journals;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What the broker keeps over a restart: persistent messages, what became of them, durable subscriptions. Shared: each loop
 * calls it for its own destinations; nothing blocks. Outcomes are told on the caller's {@link Home}, once for each batch of
 * the journal. Lives as long as the broker.
 */
public final class MessageStore implements AutoCloseable {
    private final Journal journal;
    private final List<Home> homes = new CopyOnWriteArrayList<>();
    private final Map<String, Long> subscriptions = new ConcurrentHashMap<>();

    private MessageStore(Journal journal) {
        this.journal = journal;
        journal.afterBatch(() -> homes.forEach(Home::tell));
    }

    /**
     * Opens it and hands over what it holds.
     *
     * @param name of the journal: in file names, threads and counters
     * @throws JournalFault when it cannot start; the message says what to do
     */
    public static MessageStore open(
            String name,
            Path directory,
            JournalConfig config,
            Clock clock,
            Chance chance,
            Stats stats,
            Log log,
            Contents contents)
            throws JournalFault, IOException {
        Journals.Parts parts = new Journals.Parts(new FileDisk(directory), clock, chance, stats, log);
        return open(name, config, parts, contents);
    }

    /** The same on any disk. */
    public static MessageStore open(String name, JournalConfig config, Journals.Parts parts, Contents contents)
            throws JournalFault, IOException {
        StoreRecovery found = new StoreRecovery(ByteBufAllocator.DEFAULT);
        MessageStore store = new MessageStore(Journals.open(name, config, parts, found));
        store.subscriptions.putAll(found.subscriptionIds());
        List<Long> useless = found.tell(contents);
        if (!useless.isEmpty()) {
            Group g = store.journal.group();
            useless.forEach(g::remove);
            store.journal.submit(g, Completion.NONE);
        }
        return store;
    }

    /** A place where outcomes are told: one for each event loop. */
    public Home home(Executor loop) {
        Home h = new Home(loop);
        homes.add(h);
        return h;
    }

    /** Why nothing can be stored now; null while all is well. */
    public @Nullable JournalFault suspended() {
        return journal.suspended();
    }

    /**
     * Stores a message for one or more queues.
     *
     * @param dispatched says by index which copies were delivered already; they need no mark
     * @param block retained until written; copied at most once
     * @return a copy for each queue, in order; they may be removed before the outcome is told, and then are never written
     */
    public List<StoredCopy> write(
            List<QueueKey> queues, IntPredicate dispatched, ByteBuf block, Home home, Outcome outcome) {
        Group g = journal.group();
        List<StoredCopy> copies = add(g, queues, dispatched, block);
        submit(g, home, outcome, Completion.NONE);
        return copies;
    }

    /** Removes a copy that was acknowledged, expired or deleted. */
    public void remove(StoredCopy copy, Home home, Outcome outcome) {
        Stored m = copy.message();
        Group g = journal.group();
        if (m.copies.size() > 1) {
            removeOne(g.relieving(), copy);
            submit(g, home, outcome, fault -> {
                if (fault == null) {
                    removedOne(m);
                }
            });
        } else if (m.cancel() && copy.mark == 0) {
            home.land(outcome, null, true);
        } else {
            removeAll(g, m);
            submit(g, home, outcome, Completion.NONE);
        }
    }

    /** Marks copies as delivered, before they are; those that were already are passed over. */
    public void mark(List<StoredCopy> copies, Home home, Outcome outcome) {
        Group g = journal.group().relieving();
        for (StoredCopy c : copies) {
            if (!c.dispatched()) {
                c.mark = g.add(StoreFormat.DISPATCHED, StoreFormat.reference(c.message().id, c.index()));
            }
        }
        submit(g, home, outcome, fault -> {
            if (fault == null) {
                copies.forEach(StoredCopy::markDispatched);
            }
        });
    }

    /** Told when everything that the calling thread asked before is durable. */
    public void sync(Home home, Outcome outcome) {
        submit(journal.group(), home, outcome, Completion.NONE);
    }

    /** Keeps a durable subscription; one of the same key is replaced. */
    public void subscribe(StoredSubscription s, Home home, Outcome outcome) {
        Group g = journal.group();
        long id = g.add(StoreFormat.SUBSCRIPTION, StoreFormat.subscription(s));
        Long before = subscriptions.put(s.key(), id);
        if (before != null) {
            g.remove(before);
        }
        submit(g, home, outcome, Completion.NONE);
    }

    /** Forgets a durable subscription; its messages are removed one by one. */
    public void unsubscribe(String key, Home home, Outcome outcome) {
        Group g = journal.group();
        Long id = subscriptions.remove(key);
        if (id != null) {
            g.remove(id);
        }
        submit(g, home, outcome, Completion.NONE);
    }

    public StoreTransaction transaction() {
        return new StoreTransaction(this, journal.group());
    }

    @Override
    public void close() {
        journal.close();
    }

    List<StoredCopy> add(Group g, List<QueueKey> queues, IntPredicate dispatched, ByteBuf block) {
        List<StoredCopy> copies = new ArrayList<>(queues.size());
        for (int i = 0; i < queues.size(); i++) {
            copies.add(new StoredCopy(queues.get(i), i, dispatched.test(i)));
        }
        ByteBuf head = ByteBufAllocator.DEFAULT.directBuffer(64);
        StoreFormat.head(copies, head);
        Stored m = new Stored(List.copyOf(copies), head, block.retainedSlice());
        copies.forEach(c -> c.message = m);
        m.id = g.add(StoreFormat.MESSAGE, m);
        return m.copies;
    }

    /** The only copy is removed: the message and all about it. */
    void removeAll(Group g, Stored m) {
        g.remove(m.id);
        for (StoredCopy c : m.copies) {
            if (c.mark != 0) {
                g.remove(c.mark);
            }
        }
    }

    /** One of several copies is removed. */
    void removeOne(Group g, StoredCopy c) {
        c.removal = g.add(StoreFormat.REMOVED, StoreFormat.reference(c.message().id, c.index()));
    }

    /** A copy's removal is durable; after the last one everything about the message goes. On the journal's thread. */
    void removedOne(Stored m) {
        if (m.remaining.decrementAndGet() == 0) {
            Group g = journal.group();
            m.entries().forEach(g::remove);
            m.cancel();
            journal.submit(g, Completion.NONE);
        }
    }

    void discard(Group g) {
        journal.discard(g);
    }

    void submit(Group g, Home home, Outcome outcome, Completion first) {
        Submission s = new Submission(home, outcome, first);
        journal.submit(g, s);
        s.submitted = true;
    }

    /** Passes an outcome on to its home; one that is refused at once is told at once. */
    private static final class Submission implements Completion {
        private final Home home;
        private final Outcome outcome;
        private final Completion first;
        private volatile boolean submitted;

        Submission(Home home, Outcome outcome, Completion first) {
            this.home = home;
            this.outcome = outcome;
            this.first = first;
        }

        @Override
        public void completed(@Nullable JournalFault fault) {
            try {
                first.completed(fault);
            } finally {
                home.land(outcome, fault, !submitted);
            }
        }
    }
}
