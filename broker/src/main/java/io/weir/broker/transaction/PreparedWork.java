package io.weir.broker.transaction;

import io.weir.broker.loop.BrokerLoop;
import io.weir.broker.queue.ApplicationSaw;
import io.weir.broker.queue.QueueAccess;
import io.weir.broker.queue.QueueEntry;
import io.weir.broker.queue.Returning;
import io.weir.broker.queue.SendCallback;
import io.weir.broker.report.RequestRefusal;
import io.weir.broker.store.StoreOutcome;
import io.weir.broker.store.StoreTransaction;
import io.weir.broker.store.StoredBranch;
import io.weir.broker.store.StoredOutcome;
import io.weir.jms.frames.BranchId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The two phases of a transaction branch. Prepare does all that could be refused: it finds the queues, takes the memory
 * and writes messages and removals as one group of the journal, marked as prepared. Commit and rollback only free or
 * publish, with one small write, so that the promise of a prepare can be kept. Begins and ends on the loop of its
 * branch, passed from loop to loop in between.
 */
public final class PreparedWork {
    private final Commit.Parts parts;
    private final BrokerLoop home;
    private final List<PendingSend> sends;
    private final List<QueueEntry> consumed;
    private final long redeliveryDelay;
    private final Routing routing;
    private final Set<BrokerLoop> loops = new LinkedHashSet<>();
    private @Nullable StoreTransaction tx;
    private @Nullable StoredBranch stored;
    private @Nullable RequestRefusal failure;

    /** @param redeliveryDelay of the consumed messages after a rollback, in milliseconds */
    public PreparedWork(
            Commit.Parts parts,
            BrokerLoop home,
            List<PendingSend> sends,
            List<QueueEntry> consumed,
            long redeliveryDelay) {
        this.parts = parts;
        this.home = home;
        this.sends = sends;
        this.consumed = consumed;
        this.redeliveryDelay = redeliveryDelay;
        this.routing = new Routing(sends);
        sends.forEach(s -> loops.add(s.destination().loop));
        consumed.forEach(e -> loops.add(e.queue.loop));
    }

    /**
     * Creates the work of a branch that an earlier run has prepared.
     *
     * @param entries of each send, in the order of the sends
     */
    public static PreparedWork restored(
            Commit.Parts parts,
            BrokerLoop home,
            StoredBranch stored,
            List<PendingSend> sends,
            List<List<QueueEntry>> entries,
            List<QueueEntry> consumed) {
        PreparedWork work = new PreparedWork(parts, home, sends, consumed, 0);
        work.stored = stored;
        for (int i = 0; i < entries.size(); i++) {
            work.routing.restored(i, entries.get(i));
        }
        return work;
    }

    /** Messages that it sends. */
    public int sent() {
        return sends.size();
    }

    /** Messages that it consumed. */
    public int received() {
        return consumed.size();
    }

    /** Whether it is in the store. */
    public boolean isStored() {
        return stored != null;
    }

    /** Prepares it; after a failure nothing of it is left, and its consumed messages are redelivered. */
    public void prepare(BranchId id, String user, long time, SendCallback done) {
        if (parts.store().isOpen()) {
            tx = parts.store().store().transaction();
        }
        // from now on its destination counts each as one that is there and cannot be delivered
        sends.forEach(PendingSend::uncounted);
        Routing.visit(loops, this::route, home, () -> write(id, user, time, done));
    }

    private void route(BrokerLoop loop) {
        if (failure == null) {
            failure = routing.take(loop, tx, consumed, Set.of(), _ -> false);
        }
    }

    private void write(BranchId id, String user, long time, SendCallback done) {
        StoreTransaction to = tx;
        tx = null;
        if (to == null) {
            prepared(done);
        } else if (failure != null) {
            to.rollback();
            prepared(done);
        } else {
            stored = to.prepare(id, user, time, parts.store().home(home), fault -> {
                if (fault != null) {
                    failure = parts.store().refusal("the transaction", fault);
                }
                prepared(done);
            });
        }
    }

    private void prepared(SendCallback done) {
        if (failure == null) {
            done.done(null);
            return;
        }
        stored = null;
        routing.discardUnrouted();
        settle(false);
        done.done(failure);
    }

    /**
     * Commits; on a fault of the store it stays prepared.
     *
     * @param noted recorded with it if an operator decides
     */
    public void commit(@Nullable StoredOutcome noted, Ended done) {
        end(true, noted, done);
    }

    /** Rolls back; on a fault of the store it stays prepared. */
    public void rollback(@Nullable StoredOutcome noted, Ended done) {
        end(false, noted, done);
    }

    /** The end of a branch. */
    @FunctionalInterface
    public interface Ended {
        /**
         * On the branch's loop.
         *
         * @param outcome the store's entry of what was noted, or 0
         * @param failure why it is prepared still; null if it is ended
         */
        void done(long outcome, @Nullable RequestRefusal failure);
    }

    private void end(boolean commit, @Nullable StoredOutcome noted, Ended done) {
        StoredBranch branch = stored;
        if (branch == null) {
            settle(commit);
            done.done(0, null);
            return;
        }
        long[] entry = new long[1];
        StoreOutcome ended = fault -> {
            if (fault == null) {
                settle(commit);
                done.done(entry[0], null);
            } else {
                done.done(0, parts.store().refusal("the end of the transaction", fault));
            }
        };
        var store = parts.store().store();
        entry[0] = commit
                ? store.commit(branch, noted, parts.store().home(home), ended)
                : store.rollback(branch, noted, parts.store().home(home), ended);
    }

    /** Releases its memory when the broker stops; the store keeps it. */
    public void abandon() {
        drop(ApplicationSaw.NO);
    }

    /** Publishes or drops the messages, on the loops of their queues. */
    private void settle(boolean commit) {
        if (commit) {
            loops.forEach(loop -> loop.run(() -> publish(loop)));
        } else {
            drop(ApplicationSaw.YES);
        }
    }

    private void drop(ApplicationSaw seen) {
        loops.forEach(loop -> loop.run(() -> routing.settle(loop, false).forEach(QueueAccess::dispatch)));
        Returning.takeBack(consumed, _ -> seen, redeliveryDelay);
    }

    private void publish(BrokerLoop loop) {
        Set<QueueAccess> touched = routing.settle(loop, true);
        for (QueueEntry e : consumed) {
            if (e.queue.loop.equals(loop)) {
                e.copy = null;
                e.queue.acknowledged(e);
            }
        }
        touched.forEach(QueueAccess::dispatch);
    }
}
