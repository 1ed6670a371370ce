package io.weir.broker.recovery;

import io.netty.buffer.ByteBuf;
import io.weir.broker.destination.Destination;
import io.weir.broker.destination.QueueDestination;
import io.weir.broker.destination.Subscription;
import io.weir.broker.destination.TopicDestination;
import io.weir.broker.loop.BrokerLoop;
import io.weir.broker.queue.EntrySelection;
import io.weir.broker.queue.Message;
import io.weir.broker.queue.MessageQueue;
import io.weir.broker.queue.QueueEntry;
import io.weir.broker.quota.Quota;
import io.weir.broker.report.BrokerMessages;
import io.weir.broker.report.RequestRefusal;
import io.weir.broker.session.BrokerEngine;
import io.weir.broker.store.Contents;
import io.weir.broker.store.StoredBranch;
import io.weir.broker.store.StoredCopy;
import io.weir.broker.store.StoredOutcome;
import io.weir.broker.store.StoredSubscription;
import io.weir.broker.subscription.Subscriptions;
import io.weir.broker.transaction.PendingSend;
import io.weir.broker.transaction.PreparedWork;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.MessageView;
import io.weir.jms.selector.Selector;
import io.weir.jms.selector.SelectorFault;
import io.weir.journal.recovery.RecoveryProgress;
import io.weir.wire.WireFault;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Restores stored messages and subscriptions at the start. Messages that may have been delivered are flagged
 * redelivered; those of a destination that is not configured stay in the store. Confined to the thread that opens the
 * broker, which posts the insertions to the loops.
 */
public final class BrokerRecovery implements Contents {
    /** Messages after which recovery waits for the loops, to bound their mailboxes. */
    private static final int STEP = 4096;

    private final BrokerEngine engine;
    private final Runnable passed;
    private final Map<String, Subscription> subscriptions = new HashMap<>();
    private final Map<DestinationName, Integer> unknown = new HashMap<>();
    private final List<Long> superseded = new ArrayList<>();
    private final Map<StoredBranch, FoundBranch> branches = new LinkedHashMap<>();
    private final MessageView view = new MessageView();
    private int messages;
    private final RecoveryProgress progress;
    private int handed;
    private int expected;

    /** @param passed waits until the loops have run all tasks posted so far */
    public BrokerRecovery(BrokerEngine engine, Runnable passed) {
        this.engine = engine;
        this.passed = passed;
        this.progress = new RecoveryProgress(engine.clock(), engine.log());
    }

    /** The number of recovered messages. */
    public int messages() {
        return messages;
    }

    @Override
    public void subscription(long entry, StoredSubscription s) {
        if (!(engine.destinations().find(s.topic()) instanceof TopicDestination topic)) {
            unknown.putIfAbsent(s.topic(), 0);
            return;
        }
        try {
            Selector selector = selector(s);
            Subscription found = Subscription.recovered(entry, s, topic, selector);
            if (s.noLocalClient() != null) {
                found.notFrom(Subscription.origin(s.noLocalClient()));
            }
            subscriptions.put(s.queue(), found);
            Subscription older = engine.subscriptions()
                    .restore(found, new Subscriptions.Terms(topic, selector, s.noLocalClient(), true, s.shared()));
            topic.loop.run(() -> topic.add(found));
            if (older != null) {
                superseded(older);
            }
        } catch (RequestRefusal r) {
            engine.log().log(BrokerMessages.ENGINE_ERROR, "recovery of subscription " + s.name(), r);
        }
    }

    /** Parses a stored selector: one that only an earlier version accepted keeps the meaning it had then. */
    private @Nullable Selector selector(StoredSubscription s) throws RequestRefusal {
        String text = s.selector();
        try {
            return EntrySelection.parse(text, s.topic());
        } catch (RequestRefusal refused) {
            try {
                Selector kept = Selector.parseStored(Objects.requireNonNull(text));
                engine.log().log(BrokerMessages.STORED_SELECTOR, s.name(), refused.text());
                return kept;
            } catch (SelectorFault unreadable) {
                throw refused;
            }
        }
    }

    /** Removes a subscription whose client created a newer one of the same name while the topic was not configured. */
    private void superseded(Subscription older) {
        subscriptions.remove(older.queue.key().subscription());
        older.topic.loop.run(() -> older.topic.remove(older));
        superseded.add(older.entry());
    }

    /** Ends it, once the store is open. */
    public void finish() {
        tidy();
        report();
        branches();
    }

    /** Removes superseded subscriptions from the store. */
    private void tidy() {
        superseded.forEach(engine.store()::unsubscribe);
    }

    @Override
    public void prepared(StoredBranch branch) {
        branches.put(branch, new FoundBranch());
    }

    @Override
    public void outcome(long entry, StoredOutcome outcome) {
        engine.branches().restore(outcome, engine.loops().getFirst(), entry);
    }

    @Override
    public void orphans(int copies) {
        if (copies > 0) {
            engine.log().log(BrokerMessages.ORPHANS, copies);
        }
    }

    @Override
    public void kept(int copies) {
        if (copies > 0) {
            engine.log().log(BrokerMessages.ORPHANS_KEPT, copies);
        }
    }

    @Override
    public void expected(int all) {
        expected = all;
    }

    @Override
    public void message(List<StoredCopy> copies, ByteBuf block) {
        take(copies, block, (to, m, entries) -> {
            to.loop.run(() -> to.recovered(m));
            entries.forEach(this::hand);
        });
    }

    /** A message that a prepared branch sends: it is in no queue before the branch is committed. */
    @Override
    public void pending(StoredBranch branch, List<StoredCopy> copies, ByteBuf block) {
        take(copies, block, (to, m, entries) -> {
            to.loop.run(() -> to.recoveredPending(m));
            found(branch).add(new PendingSend(to, m, false), entries);
        });
    }

    /** Gets a recovered message, with an entry for each of its queues that exists. */
    private interface Taker {
        void take(Destination to, Message m, List<QueueEntry> entries);
    }

    private void take(List<StoredCopy> copies, ByteBuf block, Taker taker) {
        try {
            List<QueueEntry> entries = new ArrayList<>(copies.size());
            Message m = null;
            for (StoredCopy copy : copies) {
                MessageQueue queue = queue(copy);
                if (queue != null) {
                    m = m == null ? charged(destination(copy), block) : m;
                    entries.add(entry(queue, m, copy));
                }
            }
            if (m != null) {
                m.routed();
                taker.take(destination(copies.getFirst()), m, entries);
            }
        } catch (WireFault f) {
            engine.log().log(BrokerMessages.ENGINE_ERROR, "recovery of a message", f);
        } finally {
            block.release();
        }
        handed();
    }

    private void handed() {
        if (++handed % STEP == 0) {
            passed.run();
        }
        if (progress.step()) {
            progress.log(BrokerMessages.RECOVERING, handed, expected);
        }
    }

    private FoundBranch found(StoredBranch branch) {
        return Objects.requireNonNull(branches.get(branch));
    }

    private Message charged(Destination d, ByteBuf block) {
        Message m = new Message(block.retain(), view.wrap(block), view.idConnection());
        Quota quota = d.quota();
        quota.force(m.size());
        m.charged(quota, 0);
        messages++;
        return m;
    }

    private Destination destination(StoredCopy copy) {
        return Objects.requireNonNull(engine.destinations().find(copy.queue().destination()));
    }

    private static QueueEntry entry(MessageQueue queue, Message m, StoredCopy copy) {
        m.retain();
        QueueEntry e = new QueueEntry(queue, m, 0);
        e.copy = copy;
        e.doubtful = copy.dispatched();
        return e;
    }

    private void hand(QueueEntry e) {
        StoredCopy copy = e.copy;
        StoredBranch holder = copy == null ? null : copy.heldBy();
        if (holder != null) {
            found(holder).consumed.add(e);
            e.queue.loop.run(() -> e.queue.restoreHeld(e));
            return;
        }
        e.queue.loop.run(() -> {
            e.queue.restore(e);
            e.queue.dispatch();
        });
    }

    private @Nullable MessageQueue queue(StoredCopy copy) {
        DestinationName name = copy.queue().destination();
        Destination d = engine.destinations().find(name);
        Subscription s = subscriptions.get(copy.queue().subscription());
        if (d instanceof QueueDestination q) {
            return q.queue();
        }
        if (d instanceof TopicDestination && s != null) {
            return s.queue;
        }
        if (d == null) {
            unknown.merge(name, 1, Integer::sum);
        }
        return null;
    }

    /** A prepared branch, and what was found of its messages. Confined to the opening thread. */
    private static final class FoundBranch {
        final List<PendingSend> sends = new ArrayList<>();
        final List<List<QueueEntry>> entries = new ArrayList<>();
        final List<QueueEntry> consumed = new ArrayList<>();

        void add(PendingSend send, List<QueueEntry> of) {
            sends.add(send);
            entries.add(of);
        }
    }

    /** Takes in the branches that were prepared, once all messages are there. */
    private void branches() {
        BrokerLoop home = engine.loops().getFirst();
        branches.forEach((stored, f) -> engine.branches()
                .restore(
                        stored,
                        home,
                        PreparedWork.restored(engine.commits(), home, stored, f.sends, f.entries, f.consumed)));
        if (!branches.isEmpty()) {
            engine.log().log(BrokerMessages.BRANCHES_IN_DOUBT, branches.size());
        }
    }

    /** Tells of what is left in the store, per destination that is not configured. */
    private void report() {
        engine.destinations()
                .stored(unknown.keySet().stream().filter(n -> n.kind().topic()).collect(Collectors.toSet()));
        unknown.forEach((name, count) -> engine.log().log(BrokerMessages.UNKNOWN_DESTINATION, count, name));
    }
}
