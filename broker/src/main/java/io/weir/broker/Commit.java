package io.weir.broker;

import io.weir.broker.store.QueueKey;
import io.weir.broker.store.StoreTransaction;
import io.weir.broker.store.StoredCopy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One commit under way. It visits the loops of its destinations one after the other to find the queues that take its sends,
 * writes what is persistent as one group of the journal, and then makes sends visible and acknowledgements count. Begins
 * and ends on the session's loop, handed from loop to loop in between.
 */
final class Commit {
    private final Engine engine;
    private final Loop home;
    private final List<LocalTransaction.PendingSend> sends;
    private final List<Entry> acknowledged;
    private final List<Entry> routed = new ArrayList<>();
    private final Set<Loop> loops = new LinkedHashSet<>();
    private @Nullable StoreTransaction stored;

    Commit(Engine engine, Loop home, List<LocalTransaction.PendingSend> sends, List<Entry> acknowledged) {
        this.engine = engine;
        this.home = home;
        this.sends = sends;
        this.acknowledged = acknowledged;
        sends.forEach(s -> loops.add(s.destination().loop));
        acknowledged.forEach(e -> loops.add(e.queue.loop));
    }

    List<Entry> acknowledged() {
        return acknowledged;
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
        for (LocalTransaction.PendingSend s : sends) {
            if (s.destination().loop.equals(loop)) {
                route(s.destination(), s.message());
            }
        }
        StoreTransaction tx = stored;
        for (Entry e : acknowledged) {
            StoredCopy copy = e.copy;
            if (tx != null && e.queue.loop.equals(loop) && copy != null) {
                tx.remove(copy);
            }
        }
    }

    private void route(Destination d, Message m) {
        if (d.isDeleted()) {
            m.discard();
            return;
        }
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
        if (tx == null || tx.isEmpty()) {
            if (tx != null) {
                tx.rollback();
            }
            finish(done, null);
            return;
        }
        tx.commit(
                engine.store().home(home),
                fault -> finish(done, fault == null ? null : engine.store().refusal("a transaction", fault)));
    }

    private void finish(Sent done, @Nullable Refusal failure) {
        done.done(failure);
        for (Loop loop : loops) {
            loop.run(() -> finish(loop, failure == null));
        }
    }

    private void finish(Loop loop, boolean committed) {
        for (Entry e : routed) {
            if (e.queue.loop.equals(loop)) {
                if (committed) {
                    e.queue.publish(e);
                } else {
                    e.copy = null;
                    e.queue.forgetNew(e);
                }
            }
        }
        if (committed) {
            for (Entry e : acknowledged) {
                if (e.queue.loop.equals(loop)) {
                    e.copy = null;
                    e.queue.acknowledged(e);
                }
            }
        }
        Set<MessageQueue> touched = new LinkedHashSet<>();
        for (Entry e : routed) {
            if (e.queue.loop.equals(loop)) {
                touched.add(e.queue);
            }
        }
        touched.forEach(MessageQueue::dispatch);
    }
}
