package io.weir.broker.store;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.journal.Completion;
import io.weir.journal.Group;
import io.weir.journal.Journal;
import io.weir.journal.Journals;
import io.weir.journal.damage.Damages;
import io.weir.journal.disk.FileDisk;
import io.weir.journal.settings.JournalConfig;
import io.weir.journal.settings.JournalFault;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The broker's durable state: persistent messages, their delivery marks and removals, durable subscriptions. Shared:
 * each loop calls it for its own destinations; nothing blocks. Outcomes are delivered on the caller's {@link Home},
 * once for each batch of the journal. Lives as long as the broker.
 */
public final class MessageStore implements AutoCloseable {
    /** Maximum entries removed in one group. */
    private static final int STEP = 128;

    private static final long[] NOTHING = {};

    private final Journal journal;
    private final List<Home> homes = new CopyOnWriteArrayList<>();
    private final OwedRemovals owed;

    private MessageStore(Journal journal) {
        this.journal = journal;
        this.owed = new OwedRemovals(this, journal);
        journal.afterBatch(() -> {
            owed.afterBatch();
            homes.forEach(Home::deliver);
        });
    }

    /**
     * Opens it and passes on its contents.
     *
     * @param name of the journal: in file names, threads and counters
     * @throws JournalFault if it cannot start; the message contains the remedy
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
        return open(found -> Journals.open(name, config, parts, found), contents);
    }

    /**
     * The same on the caller's threads, for simulations.
     *
     * @param writer runs one task at a time
     * @param background runs one task at a time
     */
    public static MessageStore open(
            String name,
            JournalConfig config,
            Journals.Parts parts,
            Executor writer,
            Executor background,
            Contents contents)
            throws JournalFault, IOException {
        return open(found -> Journals.open(name, config, parts, writer, background, found), contents);
    }

    /** Opens a journal, which replays its contents. */
    private interface Opening {
        Journal open(StoreRecovery found) throws JournalFault, IOException;
    }

    private static MessageStore open(Opening journal, Contents contents) throws JournalFault, IOException {
        StoreRecovery found = new StoreRecovery(ByteBufAllocator.DEFAULT, StartRoom.ofThisJvm());
        boolean opened = false;
        try {
            MessageStore store = opened(journal.open(found), found, contents);
            opened = true;
            return store;
        } finally {
            if (!opened) {
                found.release();
            }
        }
    }

    private static MessageStore opened(Journal journal, StoreRecovery found, Contents contents) {
        MessageStore store = new MessageStore(journal);
        found.deliver(contents, !journal.damages().isClear());
        store.forget(found.useless());
        found.orphans().forEach(store::remove);
        return store;
    }

    private void forget(List<Long> entries) {
        for (int from = 0; from < entries.size(); from += STEP) {
            long[] some = entries.subList(from, Math.min(entries.size(), from + STEP)).stream()
                    .mapToLong(Long::longValue)
                    .toArray();
            removeEntries(some);
        }
    }

    /** Creates the receiver of outcomes for an event loop: one for each. */
    public Home home(Executor loop) {
        Home h = new Home(loop);
        homes.add(h);
        return h;
    }

    /** The damage found in it. */
    public Damages damages() {
        return journal.damages();
    }

    /** Why nothing can be stored now; null if the store works. */
    public @Nullable JournalFault suspended() {
        return journal.suspended();
    }

    /**
     * Stores a message for one or more queues.
     *
     * @param dispatched returns by index whether a copy was delivered already and needs no mark
     * @param block retained until written; copied at most once
     * @return a copy for each queue, in order; they can be removed before the outcome is known, and then may never be
     * written
     */
    public List<StoredCopy> write(
            List<QueueKey> queues, IntPredicate dispatched, ByteBuf block, Home home, StoreOutcome outcome) {
        Group g = journal.group();
        List<StoredCopy> copies = add(g, queues, dispatched, block);
        submit(g, home, outcome, Completion.NONE);
        return copies;
    }

    /**
     * Removes a copy that was acknowledged, expired or deleted. It is removed eventually, even if the journal refuses
     * now; {@link #sync} reports when. The owner must not use the copy any more.
     */
    public void remove(StoredCopy copy) {
        Stored m = copy.message();
        Group g = journal.group();
        if (m.copies.size() > 1) {
            removeOne(g.relieving(), copy);
        } else if (m.cancel() && copy.mark == 0) {
            return;
        } else {
            removeAll(g, m);
        }
        journal.submit(g, new Removal(copy));
    }

    /** Removes entries of the journal; retried like {@link #remove}. */
    private void removeEntries(long... entries) {
        Group g = journal.group();
        for (long id : entries) {
            g.remove(id);
        }
        journal.submit(g, fault -> {
            if (fault != null) {
                owed.add(entries, fault);
            }
        });
    }

    /**
     * The number of requested removals that are not durable because the journal could not accept them. From any thread.
     */
    public long owed() {
        return owed.count();
    }

    /** Retries those. Called periodically, for those that the end of a batch does not retry. From any thread. */
    public void retryOwed() {
        owed.retry();
    }

    /** Marks copies as delivered, before their delivery; skips those that are marked. */
    public void mark(List<StoredCopy> copies, Home home, StoreOutcome outcome) {
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

    /**
     * Calls back when everything that the calling thread requested before is durable, or with the fault that prevents
     * it.
     */
    public void sync(Home home, StoreOutcome outcome) {
        submit(
                journal.group(),
                home,
                fault -> {
                    if (fault != null && fault.reason() == JournalFault.Reason.QUEUE_FULL) {
                        // queued behind all waiting removals, as this request would have been
                        owed.add(NOTHING, fault);
                    } else if (fault != null) {
                        outcome.done(fault);
                        return;
                    }
                    if (owed.count() > 0) {
                        owed.await(home, outcome);
                    } else {
                        outcome.done(null);
                    }
                },
                Completion.NONE);
    }

    /**
     * Stores a durable subscription.
     *
     * @param replaced entries of those that it replaces, removed with the same write
     * @return the id of its entry, which is valid once the outcome is a success
     */
    public long subscribe(StoredSubscription s, long[] replaced, Home home, StoreOutcome outcome) {
        Group g = journal.group();
        long id = g.add(StoreFormat.SUBSCRIPTION, StoreFormat.subscription(s));
        for (long before : replaced) {
            g.remove(before);
        }
        submit(g, home, outcome, Completion.NONE);
        return id;
    }

    /** Deletes a durable subscription. Its messages that are found later are orphans, and are removed. */
    public void unsubscribe(long entry, Home home, StoreOutcome outcome) {
        submit(journal.group().remove(entry), home, outcome, Completion.NONE);
    }

    /** The same without a callback: it happens eventually. */
    public void unsubscribe(long entry) {
        removeEntries(entry);
    }

    public StoreTransaction transaction() {
        return new StoreTransaction(this, journal.group());
    }

    /**
     * Ends a prepared branch: its messages are there, its copies removed. With a fault it is prepared still.
     *
     * @param noted recorded with it, if an operator decides; null for the transaction manager
     * @return the entry of that record, or 0
     */
    public long commit(StoredBranch branch, @Nullable StoredOutcome noted, Home home, StoreOutcome outcome) {
        Group g = journal.group().relieving().promised().remove(branch.entry);
        removeCopies(g, branch.removed);
        long entry = note(g, noted);
        submit(g, home, outcome, fault -> copiesRemoved(branch.removed, fault));
        return entry;
    }

    /** Ends a prepared branch: its messages are removed, its copies stay. Otherwise like {@link #commit}. */
    public long rollback(StoredBranch branch, @Nullable StoredOutcome noted, Home home, StoreOutcome outcome) {
        Group g = journal.group().relieving().promised().remove(branch.entry);
        for (Stored m : branch.added) {
            for (long id : m.entries()) {
                g.remove(id);
            }
        }
        long entry = note(g, noted);
        submit(g, home, outcome, Completion.NONE);
        return entry;
    }

    private static long note(Group g, @Nullable StoredOutcome noted) {
        return noted == null ? 0 : g.add(StoreFormat.OUTCOME, StoreFormat.outcome(noted));
    }

    /** Removes the record of how an operator ended a branch. */
    public void forget(long outcome, Home home, StoreOutcome done) {
        submit(journal.group().remove(outcome), home, done, Completion.NONE);
    }

    /** Writes pending requests and removals as far as the disk accepts them; blocks until done. */
    @Override
    public void close() {
        // a closing journal accepts no more requests
        owed.settle();
        journal.close();
    }

    List<StoredCopy> add(Group g, List<QueueKey> queues, IntPredicate dispatched, ByteBuf block) {
        List<StoredCopy> copies = new ArrayList<>(queues.size());
        for (int i = 0; i < queues.size(); i++) {
            copies.add(new StoredCopy(queues.get(i), i, dispatched.test(i)));
        }
        ByteBuf head = head(copies, block.alloc());
        Stored m = new Stored(List.copyOf(copies), head, block.retainedSlice());
        copies.forEach(c -> c.message = m);
        m.id = g.add(StoreFormat.MESSAGE, m);
        return m.copies;
    }

    private static ByteBuf head(List<StoredCopy> copies, ByteBufAllocator memory) {
        ByteBuf head = memory.directBuffer(64);
        try {
            StoreFormat.head(copies, head);
            return head;
        } catch (OutOfMemoryError e) {
            // the buffer grows for long names
            head.release();
            throw e;
        }
    }

    /** Removes copies in a group whose outcome {@link #copiesRemoved} gets. */
    void removeCopies(Group g, List<StoredCopy> copies) {
        for (StoredCopy c : copies) {
            if (c.message().copies.size() == 1) {
                removeAll(g, c.message());
            } else {
                removeOne(g, c);
            }
        }
    }

    /** The outcome of {@link #removeCopies}. On the journal's thread. */
    void copiesRemoved(List<StoredCopy> copies, @Nullable JournalFault fault) {
        for (StoredCopy c : copies) {
            if (c.message().copies.size() > 1) {
                if (fault == null) {
                    removedOne(c.message());
                } else {
                    c.removal = 0;
                }
            }
        }
    }

    /** Removes the message and all its entries, because its only copy is removed. */
    void removeAll(Group g, Stored m) {
        g.remove(m.id);
        for (StoredCopy c : m.copies) {
            if (c.mark != 0) {
                g.remove(c.mark);
            }
        }
    }

    /** Removes one of several copies. */
    void removeOne(Group g, StoredCopy c) {
        c.removal = g.add(StoreFormat.REMOVED, StoreFormat.reference(c.message().id, c.index()));
    }

    /**
     * A copy's removal is durable; after the last one all entries of the message are removed. On the journal's thread.
     */
    void removedOne(Stored m) {
        if (m.remaining.decrementAndGet() == 0) {
            m.cancel();
            removeEntries(m.entries().stream().mapToLong(Long::longValue).toArray());
        }
    }

    void discard(Group g) {
        journal.discard(g);
    }

    void submit(Group g, Home home, StoreOutcome outcome, Completion first) {
        Submission s = new Submission(home, outcome, first);
        journal.submit(g, s);
        s.submitted = true;
    }

    /** Completes a copy's removal: has no callback, but retries on failure. */
    private final class Removal implements Completion {
        private final StoredCopy copy;

        Removal(StoredCopy copy) {
            this.copy = copy;
        }

        @Override
        public void completed(@Nullable JournalFault fault) {
            Stored m = copy.message();
            if (fault != null) {
                copy.removal = 0;
                owed.add(copy, fault);
            } else if (m.copies.size() > 1) {
                removedOne(m);
            }
        }
    }

    /** Passes an outcome on to its home; an immediate refusal is delivered at once. */
    private static final class Submission implements Completion {
        private final Home home;
        private final StoreOutcome outcome;
        private final Completion first;
        private volatile boolean submitted;

        Submission(Home home, StoreOutcome outcome, Completion first) {
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
