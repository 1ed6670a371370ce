package io.weir.broker.transaction;

import io.weir.base.Live;
import io.weir.broker.config.MessagingConfig;
import io.weir.broker.loop.BrokerLoop;
import io.weir.broker.queue.EntryStore;
import io.weir.broker.queue.QueueAccess;
import io.weir.broker.queue.QueueEntry;
import io.weir.broker.queue.SendCallback;
import io.weir.broker.quota.MessageMemory;
import io.weir.broker.report.RequestRefusal;
import io.weir.broker.store.StoreTransaction;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One commit in progress: messages that are added and messages that are removed, atomically. It visits the loops of its
 * destinations one after the other to find the queues that take the added messages, writes the persistent ones as one
 * group of the journal, and then makes them visible and releases the removed ones. In a move, messages that the target
 * would not keep stay. Begins and ends on the caller's loop, passed from loop to loop in between.
 */
public final class Commit {
    private final Parts parts;
    private final BrokerLoop home;
    private final List<PendingSend> sends;
    private final Routing routing;
    private final List<QueueEntry> leaving;
    private final Consumer<QueueEntry> gone;
    private final @Nullable Moving moving;
    private final Set<QueueEntry> staying = new LinkedHashSet<>();
    private final Set<BrokerLoop> loops = new LinkedHashSet<>();
    private @Nullable StoreTransaction stored;
    private @Nullable RequestRefusal failure;
    /** Why memory had no room for some of the moved messages. */
    private @Nullable String lacking;
    /** Bytes of the keys of all durable queues that can take a message, in its record. */
    private long keys;
    /** Approximate bytes of the moved messages in the journal. */
    private long bytes;

    private boolean full;

    /** The dependencies of commits, shared by all of a broker. Immutable. */
    public record Parts(EntryStore store, MessageMemory memory, Live<MessagingConfig> config) {}

    /**
     * Parameters of a move.
     *
     * @param freed memory that the moved entries free
     * @param inOrder whether no message may overtake one that stays for lack of room
     */
    record Moving(MessageMemory.Freed freed, boolean inOrder) {}

    /** @param gone called with each removed entry, on its queue's loop, once the commit is durable */
    public Commit(
            Parts parts,
            BrokerLoop home,
            List<PendingSend> sends,
            List<QueueEntry> leaving,
            Consumer<QueueEntry> gone) {
        this(parts, home, sends, leaving, gone, null);
    }

    private Commit(
            Parts parts,
            BrokerLoop home,
            List<PendingSend> sends,
            List<QueueEntry> leaving,
            Consumer<QueueEntry> gone,
            @Nullable Moving moving) {
        this.parts = parts;
        this.home = home;
        this.sends = sends;
        this.routing = new Routing(sends);
        this.leaving = leaving;
        this.gone = gone;
        this.moving = moving;
        sends.forEach(s -> loops.add(s.destination().loop));
        leaving.forEach(e -> loops.add(e.queue.loop));
    }

    /** Creates a commit that moves messages: each copy is of the entry at the same index. */
    static Commit moving(
            Parts parts, BrokerLoop home, List<PendingSend> copies, List<QueueEntry> entries, Moving moving) {
        return new Commit(parts, home, copies, entries, e -> e.queue.forget(e), moving);
    }

    /**
     * Entries that stay although the commit succeeded, because no subscription would keep their copies or memory is
     * full.
     */
    List<QueueEntry> staying() {
        return List.copyOf(staying);
    }

    /** Why memory has no room for the copies of some of those; null if it has. */
    @Nullable
    String lacking() {
        return lacking;
    }

    /** Whether some stay only because the journal does not accept all in one group. */
    boolean isFull() {
        return full;
    }

    /**
     * Whether a message would exceed the journal's group size, including the keys of its queues; never for the first.
     */
    private boolean isOver(PendingSend s) {
        if (keys == 0) {
            keys = s.destination().queues().stream()
                    .filter(q -> q.durable)
                    .mapToLong(q -> q.key().bytes())
                    .sum();
        }
        long takes = keys + s.message().size();
        full |= !routing.isEmpty()
                && bytes + takes > parts.config().get().journal().maxGroupSize().bytes() / 2;
        bytes += takes;
        return full;
    }

    /** Whether a message of a move has to stay: notes that it does. */
    private boolean stays(int send) {
        boolean stays = moving != null && stays(sends.get(send), moving);
        if (stays) {
            staying.add(leaving.get(send));
        }
        return stays;
    }

    private boolean stays(PendingSend s, Moving moving) {
        if (isOver(s)) {
            return true;
        }
        int takers = s.destination().takers(s.message(), s.delivered());
        if (takers <= 1) {
            return takers == 0 || (lacking != null && moving.inOrder());
        }
        String why = parts.memory().lackingReferences(takers - 1, moving.freed());
        lacking = lacking == null ? why : lacking;
        return why != null || (lacking != null && moving.inOrder());
    }

    /** Commits; the callback runs on the caller's loop. */
    public void run(SendCallback done) {
        if (parts.store().isOpen()) {
            stored = parts.store().store().transaction();
        }
        Routing.visit(loops, this::route, home, () -> write(done));
    }

    private void route(BrokerLoop loop) {
        if (failure == null) {
            failure = routing.take(loop, stored, leaving, staying, this::stays);
        }
    }

    private void write(SendCallback done) {
        StoreTransaction tx = stored;
        if (tx != null && (failure != null || tx.isEmpty())) {
            tx.rollback();
            tx = null;
        }
        if (tx == null) {
            finish(done);
            return;
        }
        tx.commit(parts.store().home(home), fault -> {
            failure = fault == null ? null : parts.store().refusal("the transaction", fault);
            finish(done);
        });
    }

    private void finish(SendCallback done) {
        routing.discardUnrouted();
        boolean committed = failure == null;
        for (BrokerLoop loop : loops) {
            loop.run(() -> finish(loop, committed));
        }
        done.done(failure);
    }

    private void finish(BrokerLoop loop, boolean committed) {
        Set<QueueAccess> touched = routing.settle(loop, committed);
        if (committed) {
            for (QueueEntry e : leaving) {
                if (e.queue.loop.equals(loop) && !staying.contains(e)) {
                    e.copy = null;
                    gone.accept(e);
                }
            }
        }
        touched.forEach(QueueAccess::dispatch);
    }
}
