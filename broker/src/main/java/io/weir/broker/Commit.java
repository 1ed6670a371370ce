package io.weir.broker;

import io.weir.broker.store.QueueKey;
import io.weir.broker.store.StoreTransaction;
import io.weir.broker.store.StoredCopy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One commit under way: messages that come and messages that go, together. It visits the loops of its destinations one after the
 * other to find the queues that take what comes, writes what is persistent as one group of the journal, and then makes it
 * visible and lets go of the others. Begins and ends on the loop that asked, handed from loop to loop in between.
 */
final class Commit {
    private final Engine engine;
    private final Loop home;
    private final List<LocalTransaction.PendingSend> sends;
    private final BitSet unrouted;
    private final List<Entry> leaving;
    private final Consumer<Entry> gone;
    private final List<Entry> routed = new ArrayList<>();
    private final Set<Loop> loops = new LinkedHashSet<>();
    private @Nullable StoreTransaction stored;
    private @Nullable Refusal failure;

    /** @param gone what becomes of an entry that leaves, on its queue's loop, once that is durable */
    Commit(
            Engine engine,
            Loop home,
            List<LocalTransaction.PendingSend> sends,
            List<Entry> leaving,
            Consumer<Entry> gone) {
        this.engine = engine;
        this.home = home;
        this.sends = sends;
        this.unrouted = new BitSet(sends.size());
        unrouted.set(0, sends.size());
        this.leaving = leaving;
        this.gone = gone;
        sends.forEach(s -> loops.add(s.destination().loop));
        leaving.forEach(e -> loops.add(e.queue.loop));
    }

    /** Commits; told on the session's loop. */
    void run(Sent done) {
        if (engine.store().isOpen()) {
            stored = engine.store().store().transaction();
        }
        visit(new ArrayDeque<>(loops), done);
    }

    private void visit(Queue<Loop> left, Sent done) {
        Loop next = left.poll();
        if (next == null) {
            home.run(() -> write(done));
        } else {
            next.run(() -> {
                route(next);
                visit(left, done);
            });
        }
    }

    private void route(Loop loop) {
        if (failure != null) {
            return;
        }
        try {
            for (int i = 0; i < sends.size(); i++) {
                LocalTransaction.PendingSend s = sends.get(i);
                if (s.destination().loop.equals(loop)) {
                    // since the commit was asked for, the destination may have been deleted or paused
                    s.destination().admitInsertion();
                    unrouted.clear(i);
                    route(s.destination(), s.message());
                }
            }
        } catch (Refusal r) {
            failure = r;
            return;
        }
        StoreTransaction tx = stored;
        for (Entry e : leaving) {
            StoredCopy copy = e.copy;
            if (tx != null && e.queue.loop.equals(loop) && copy != null) {
                tx.remove(copy);
            }
        }
    }

    private void route(Destination d, Message m) {
        List<Entry> entries = d.route(m);
        routed.addAll(entries);
        List<Entry> kept = new ArrayList<>();
        List<QueueKey> keys = new ArrayList<>();
        for (Entry e : entries) {
            if (m.persistent() && e.queue.durable) {
                kept.add(e);
                keys.add(e.queue.key());
            }
        }
        StoreTransaction tx = stored;
        if (tx != null && !kept.isEmpty()) {
            List<StoredCopy> copies = tx.write(keys, m.block());
            for (int i = 0; i < copies.size(); i++) {
                kept.get(i).copy = copies.get(i);
            }
        }
    }

    private void write(Sent done) {
        StoreTransaction tx = stored;
        if (tx != null && (failure != null || tx.isEmpty())) {
            tx.rollback();
            tx = null;
        }
        if (tx == null) {
            finish(done);
            return;
        }
        tx.commit(engine.store().home(home), fault -> {
            failure = fault == null ? null : engine.store().refusal("the transaction", fault);
            finish(done);
        });
    }

    private void finish(Sent done) {
        unrouted.stream().forEach(i -> sends.get(i).message().discard());
        boolean committed = failure == null;
        for (Loop loop : loops) {
            loop.run(() -> finish(loop, committed));
        }
        done.done(failure);
    }

    private void finish(Loop loop, boolean committed) {
        Set<MessageQueue> touched = new LinkedHashSet<>();
        for (Entry e : routed) {
            if (e.queue.loop.equals(loop)) {
                touched.add(e.queue);
                if (committed) {
                    e.queue.publish(e);
                } else {
                    e.copy = null;
                    e.queue.forgetNew(e);
                }
            }
        }
        if (committed) {
            for (Entry e : leaving) {
                if (e.queue.loop.equals(loop)) {
                    e.copy = null;
                    gone.accept(e);
                }
            }
        }
        touched.forEach(MessageQueue::dispatch);
    }
}
