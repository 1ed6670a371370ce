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
 * Removals that the journal refused or could not write: a consumed message must not be delivered again after a restart,
 * so they are retried, many in one group and one group at a time, until they are durable. Bounded by the number of
 * messages. Shared; empty, and then never locked, as long as the journal accepts all removals.
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
    /** Maximum removals in the next group: reduced if the journal refuses a group as too large. */
    private int most = MOST_IN_A_GROUP;

    private boolean busy;
    private @Nullable JournalFault lastFault;
    /** The number of removals; read without the lock. */
    private volatile long owed;

    /** A pending removal: a copy whose message has others, or entries of the journal. */
    private record Owed(@Nullable StoredCopy copy, List<Long> entries) {}

    OwedRemovals(MessageStore store, Journal journal) {
        this.store = store;
        this.journal = journal;
    }

    /** The number of requested removals that are not durable. */
    long count() {
        return owed;
    }

    /** Adds a copy whose removal failed; its loop does not use it any more. */
    void add(StoredCopy copy, JournalFault fault) {
        Stored m = copy.message();
        add(m.copies.size() > 1 ? new Owed(copy, List.of()) : new Owed(null, List.copyOf(m.entries())), fault);
    }

    /** Adds entries whose removal failed. */
    void add(long[] entries, JournalFault fault) {
        add(new Owed(null, LongStream.of(entries).boxed().toList()), fault);
    }

    private synchronized void add(Owed o, JournalFault fault) {
        waiting.add(o);
        added++;
        owed = added - settled;
        lastFault = fault;
    }

    /**
     * Retries after the journal wrote a batch, or tried to: its queue has room again. A failing disk is not retried at
     * this rate.
     */
    void afterBatch() {
        if (owed > 0 && !diskFailed()) {
            retry();
        }
    }

    private synchronized boolean diskFailed() {
        return failed(lastFault);
    }

    /** Whether an immediate retry is useless. */
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

    /** Calls back when all removals pending now are durable, or with the fault that prevents it. */
    void await(Home home, StoreOutcome outcome) {
        synchronized (this) {
            waiters.add(new Waiter(added, outcome, home));
        }
        retry();
        notifyWaiters();
    }

    /** Waits until no removal is pending, or the disk fails; each attempt ends in one of these or leaves fewer. */
    void settle() {
        if (owed > 0) {
            CompletableFuture<@Nullable JournalFault> settled = new CompletableFuture<>();
            await(new Home(Runnable::run), settled::complete);
            settled.join();
        }
    }

    /**
     * Notifies the waiters whose removals are durable, and, if the last attempt failed for more than a full queue, all
     * others.
     */
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
