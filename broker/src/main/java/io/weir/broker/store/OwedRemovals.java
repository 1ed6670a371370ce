package io.weir.broker.store;

import io.weir.journal.Group;
import io.weir.journal.Journal;
import io.weir.journal.settings.JournalFault;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Removals that the journal refused or could not write: a message that was consumed must not come back, so they are
 * asked for again, many in one group and one group at a time, until they are durable. Bounded by the messages that
 * there are. Shared; empty, and then never locked, while the journal takes what it is given.
 */
final class OwedRemovals {
    private static final int MOST_IN_A_GROUP = 1024;

    private record Waiter(long upTo, StoreOutcome outcome, Home home) {}

    private final MessageStore store;
    private final Journal journal;
    private final Queue<Owed> waiting = new ArrayDeque<>();
    private final List<Waiter> waiters = new ArrayList<>();
    private long added;
    private long settled;
    /** How many go into the next group: fewer when the journal finds a group too large. */
    private int most = MOST_IN_A_GROUP;

    private boolean busy;
    private @Nullable JournalFault lastFault;
    /** How many there are; read without the lock. */
    private volatile long owed;

    /** What is owed: a copy whose message has others, or entries of the journal. */
    private record Owed(@Nullable StoredCopy copy, List<Long> entries) {}

    OwedRemovals(MessageStore store, Journal journal) {
        this.store = store;
        this.journal = journal;
    }

    /** Removals that are not durable although they were asked for. */
    long count() {
        return owed;
    }

    /** A copy's removal failed; its loop has nothing to do with it any more. */
    void add(StoredCopy copy, JournalFault fault) {
        Stored m = copy.message();
        add(m.copies.size() > 1 ? new Owed(copy, List.of()) : new Owed(null, List.copyOf(m.entries())), fault);
    }

    /** The removal of entries failed. */
    void add(long[] entries, JournalFault fault) {
        add(new Owed(null, LongStream.of(entries).boxed().toList()), fault);
    }

    private synchronized void add(Owed o, JournalFault fault) {
        waiting.add(o);
        added++;
        owed = added - settled;
        lastFault = fault;
    }

    /** The journal wrote a batch, or tried: its queue has room again. A failing disk is not asked at this pace. */
    void afterBatch() {
        if (owed > 0 && !diskFailed()) {
            retry();
        }
    }

    private synchronized boolean diskFailed() {
        return failed(lastFault);
    }

    /** Whether it makes no sense to ask again at once. */
    private static boolean failed(@Nullable JournalFault fault) {
        return fault != null
                && fault.reason() != JournalFault.Reason.QUEUE_FULL
                && fault.reason() != JournalFault.Reason.TOO_LARGE;
    }

    /** Retries, unless a group is in flight. Called periodically, from any thread. */
    void retry() {
        if (owed == 0) {
            return;
        }
        Group g;
        List<Owed> some = new ArrayList<>();
        synchronized (this) {
            if (busy || waiting.isEmpty()) {
                return;
            }
            busy = true;
            while (some.size() < most && !waiting.isEmpty()) {
                some.add(waiting.remove());
            }
            g = group(some);
        }
        journal.submit(g, fault -> done(some, fault));
    }

    private Group group(List<Owed> some) {
        Group g = journal.group().relieving();
        for (Owed o : some) {
            StoredCopy copy = o.copy();
            if (copy != null) {
                store.removeOne(g, copy);
            }
            for (long id : o.entries()) {
                g.remove(id);
            }
        }
        return g;
    }

    private void done(List<Owed> some, @Nullable JournalFault fault) {
        if (fault == null) {
            for (Owed o : some) {
                StoredCopy copy = o.copy();
                if (copy != null) {
                    store.removedOne(copy.message());
                }
            }
        }
        synchronized (this) {
            busy = false;
            if (fault == null) {
                settled += some.size();
                lastFault = null;
                most = MOST_IN_A_GROUP;
            } else {
                lastFault = fault;
                if (fault.reason() == JournalFault.Reason.TOO_LARGE) {
                    most = Math.max(1, some.size() / 2);
                }
                putBack(some);
            }
            owed = added - settled;
        }
        notifyWaiters();
        if (fault != null && fault.reason() == JournalFault.Reason.TOO_LARGE && some.size() > 1) {
            retry();
        }
    }

    private void putBack(List<Owed> some) {
        List<Owed> behind = new ArrayList<>(waiting);
        waiting.clear();
        for (Owed o : some) {
            if (o.copy() != null) {
                o.copy().removal = 0;
            }
        }
        waiting.addAll(some);
        waiting.addAll(behind);
    }

    /** Calls back when all that is owed now is durable, or with the fault that keeps it from being so. */
    void await(Home home, StoreOutcome outcome) {
        synchronized (this) {
            waiters.add(new Waiter(added, outcome, home));
        }
        retry();
        notifyWaiters();
    }

    /** Waits until nothing is owed, or the disk refuses it; each attempt ends with one or the other, or leaves less. */
    void settle() {
        if (owed > 0) {
            CompletableFuture<@Nullable JournalFault> settled = new CompletableFuture<>();
            await(new Home(Runnable::run), settled::complete);
            settled.join();
        }
    }

    /** Those whose removals are durable, and, where the last attempt met more than a full queue, all others. */
    private void notifyWaiters() {
        List<Waiter> ready = new ArrayList<>();
        long durable;
        JournalFault fault;
        synchronized (this) {
            durable = settled;
            fault = busy || owed == 0 ? null : lastFault;
            if (!failed(fault)) {
                fault = null;
            }
            for (Iterator<Waiter> i = waiters.iterator(); i.hasNext(); ) {
                Waiter w = i.next();
                if (w.upTo() <= durable || fault != null) {
                    i.remove();
                    ready.add(w);
                }
            }
        }
        for (Waiter w : ready) {
            w.home().land(w.outcome(), w.upTo() <= durable ? null : fault, true);
        }
    }
}
