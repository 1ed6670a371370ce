package io.weir.broker.queue;

import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.broker.loop.BrokerLoop;
import io.weir.broker.report.BrokerMessages;
import io.weir.broker.report.RequestRefusal;
import io.weir.broker.store.Contents;
import io.weir.broker.store.Home;
import io.weir.broker.store.MessageStore;
import io.weir.broker.store.QueueKey;
import io.weir.broker.store.StoreOutcome;
import io.weir.broker.store.StoreTransaction;
import io.weir.broker.store.StoredCopy;
import io.weir.broker.store.StoredSubscription;
import io.weir.jms.frames.RefusalCode;
import io.weir.journal.Journals;
import io.weir.journal.disk.Disk;
import io.weir.journal.settings.JournalConfig;
import io.weir.journal.settings.JournalFault;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The engine's side of the message store: writes, marks and removes the entries of persistent messages. Each loop calls
 * it for its own queues and gets the callbacks. Shared; without a store it keeps nothing.
 */
public final class EntryStore implements AutoCloseable {
    /** The journal's name, which labels its statistics. */
    public static final String JOURNAL = "messages";
    /** Delay of the retry when a delivery mark finds the journal's queue full. */
    private static final long RETRY_NANOS = 10_000_000;

    private final Log log;
    private volatile @Nullable MessageStore store;
    /**
     * Copies that their queue dropped during recovery, before the store was open, because of a subscription's limit.
     */
    private final Queue<StoredCopy> early = new ConcurrentLinkedQueue<>();

    private final Map<BrokerLoop, Home> homes = new HashMap<>();

    public EntryStore(Log log) {
        this.log = log;
    }

    /** Opens the store and passes on its contents. Called before the loops have any work. */
    public void open(
            Disk disk, JournalConfig config, List<BrokerLoop> loops, Clock clock, Stats stats, Contents contents)
            throws IOException, JournalFault {
        use(
                MessageStore.open(
                        JOURNAL, config, new Journals.Parts(disk, clock, Chance.unseeded(), stats, log), contents),
                loops);
    }

    /** Uses an open store. */
    public void use(MessageStore opened, List<BrokerLoop> loops) {
        loops.forEach(l -> homes.put(l, opened.home(l::post)));
        store = opened;
        removeEarly(opened);
    }

    private void removeEarly(MessageStore s) {
        for (StoredCopy copy = early.poll(); copy != null; copy = early.poll()) {
            s.remove(copy);
        }
    }

    public boolean isOpen() {
        return store != null;
    }

    /** Why persistent messages are refused now; null if they are accepted or there is no store. */
    @Nullable
    public JournalFault suspended() {
        MessageStore s = store;
        return s == null ? null : s.suspended();
    }

    public MessageStore store() {
        MessageStore s = store;
        if (s == null) {
            throw new IllegalStateException("there is no store");
        }
        return s;
    }

    public Home home(BrokerLoop loop) {
        Home h = homes.get(loop);
        if (h == null) {
            throw new IllegalStateException("loop " + loop.index() + " has no home in the store");
        }
        return h;
    }

    /** Writes the entries of one message that are not gone yet; the callback runs when they are durable. */
    void write(QueueContext d, List<QueueEntry> entries, SendCallback sent) {
        List<QueueEntry> alive = new ArrayList<>(entries.size());
        List<QueueKey> keys = new ArrayList<>(entries.size());
        for (QueueEntry e : entries) {
            if (e.state != QueueEntry.State.GONE) {
                alive.add(e);
                keys.add(e.queue.key());
            } else {
                e.queue.received();
            }
        }
        if (alive.isEmpty()) {
            d.counts.received(entries.getFirst().message.size());
            sent.done(null);
            return;
        }
        Message m = alive.getFirst().message;
        List<StoredCopy> copies = store().write(
                        keys,
                        i -> alive.get(i).state.mayHaveLeft(),
                        m.block(),
                        home(d.loop),
                        fault -> written(d, alive, fault, sent));
        for (int i = 0; i < copies.size(); i++) {
            StoredCopy copy = copies.get(i);
            copy.writing();
            alive.get(i).copy = copy;
        }
    }

    private void written(QueueContext d, List<QueueEntry> entries, @Nullable JournalFault fault, SendCallback sent) {
        if (fault == null) {
            for (QueueEntry e : entries) {
                StoredCopy copy = e.copy;
                if (copy != null) {
                    copy.written();
                }
                e.queue.received();
            }
            d.counts.received(entries.getFirst().message.size());
            sent.done(null);
            return;
        }
        entries.forEach(QueueEntry::refused);
        sent.done(refusal("the message for " + d.name, fault));
    }

    /** Runs an action on an entry's loop when the entry's own write has succeeded or failed; at once if it has. */
    void whenWritten(QueueEntry e, Runnable then) {
        if (e.isUnwritten()) {
            store().sync(home(e.queue.loop), _ -> whenWritten(e, then));
        } else {
            then.run();
        }
    }

    /**
     * Runs {@code leave} for an entry in no list once it is stored, so that it is never in two places; an entry that
     * the store refused is dropped.
     */
    void whenStored(QueueEntry e, Runnable leave) {
        e.state = QueueEntry.State.LEAVING;
        whenWritten(e, () -> {
            if (e.isRefused()) {
                e.queue.forget(e);
            } else {
                leave.run();
            }
        });
    }

    /** The refusal that clients get for a fault of the store. */
    public RequestRefusal refusal(String what, JournalFault fault) {
        if (fault.reason() == JournalFault.Reason.QUEUE_FULL) {
            return new RequestRefusal(
                    RefusalCode.RESOURCE_ALLOCATION,
                    what + " is not stored, because the disk is behind: " + fault.getMessage() + "; try again later");
        }
        log.log(BrokerMessages.STORE_FAILED, what, fault);
        return new RequestRefusal(RefusalCode.STORE, what + " is not stored: " + fault.getMessage());
    }

    /** Removes an entry from the store; retries until the store accepts it. */
    void remove(QueueEntry e) {
        StoredCopy copy = e.kept();
        if (copy != null) {
            e.copy = null;
            MessageStore s = store;
            if (s != null) {
                s.remove(copy);
                return;
            }
            early.add(copy);
            s = store;
            if (s != null) {
                // the store was opened concurrently and may have drained the queue before this copy was added
                removeEarly(s);
            }
        }
    }

    /**
     * Removes entries of a queue together.
     *
     * @param done called on the loop; after a failure the store still holds all of them
     */
    void remove(QueueContext q, List<QueueEntry> entries, SendCallback done) {
        StoreTransaction tx = isOpen() ? store().transaction() : null;
        if (tx != null) {
            for (QueueEntry e : entries) {
                StoredCopy copy = e.kept();
                if (copy != null) {
                    tx.remove(copy);
                }
            }
        }
        if (tx == null || tx.isEmpty()) {
            done.done(null);
            return;
        }
        tx.commit(home(q.loop), fault -> {
            if (fault == null) {
                entries.forEach(e -> e.copy = null);
            }
            done.done(fault == null ? null : refusal("the removal of messages of " + q.name, fault));
        });
    }

    /** Retries operations that the store could not accept. Called periodically. */
    public void retry() {
        MessageStore s = store;
        if (s != null) {
            s.retryOwed();
        }
    }

    /** Whether the entry is in the store without a delivery mark. */
    boolean needsMark(QueueEntry e) {
        StoredCopy copy = e.kept();
        return copy != null && !copy.dispatched();
    }

    /** Marks entries as delivered. If this fails they are delivered anyway: a full disk must not stop consumers. */
    void mark(QueueContext q, List<QueueEntry> entries, Runnable done) {
        List<StoredCopy> copies = new ArrayList<>(entries.size());
        for (QueueEntry e : entries) {
            StoredCopy copy = e.kept();
            if (copy != null && !copy.dispatched()) {
                copies.add(copy);
            }
        }
        if (copies.isEmpty()) {
            done.run();
            return;
        }
        store().mark(copies, home(q.loop), fault -> {
            if (fault != null && fault.reason() == JournalFault.Reason.QUEUE_FULL) {
                q.loop.after(RETRY_NANOS, () -> mark(q, entries, done));
                return;
            }
            if (fault != null) {
                log.log(BrokerMessages.STORE_FAILED, q.name, fault);
            }
            done.run();
        });
    }

    /** Marks entries that are at consumers already, because the store could not mark them before. */
    void markLate(QueueContext q, List<QueueEntry> entries, Runnable done) {
        List<StoredCopy> copies = new ArrayList<>();
        for (QueueEntry e : entries) {
            StoredCopy copy = e.kept();
            if (copy != null) {
                copies.add(copy);
            }
        }
        store().mark(copies, home(q.loop), _ -> done.run());
    }

    /**
     * Calls back on the loop when all requested operations are durable, or with the fault that prevents it; at once if
     * there is nothing to wait for.
     */
    public void whenDone(BrokerLoop loop, boolean any, StoreOutcome outcome) {
        MessageStore s = store;
        if (s == null || !any) {
            outcome.done(null);
        } else {
            s.sync(home(loop), outcome);
        }
    }

    /**
     * Stores a subscription.
     *
     * @param replaced the entry of the subscription that it replaces, or 0
     * @return its entry
     */
    public long subscribe(BrokerLoop loop, StoredSubscription s, long replaced, StoreOutcome outcome) {
        return store().subscribe(s, replaced == 0 ? new long[0] : new long[] {replaced}, home(loop), outcome);
    }

    /** Deletes a subscription; the callback is always asynchronous, even without a store. */
    public void unsubscribe(BrokerLoop loop, long entry, StoreOutcome outcome) {
        if (isOpen() && entry != 0) {
            store().unsubscribe(entry, home(loop), outcome);
        } else {
            loop.post(() -> outcome.done(null));
        }
    }

    /** The same without a callback. */
    public void unsubscribe(long entry) {
        if (isOpen() && entry != 0) {
            store().unsubscribe(entry);
        }
    }

    @Override
    public void close() {
        MessageStore s = store;
        if (s != null) {
            s.close();
        }
    }
}
