package io.weir.broker.queue;

import io.weir.broker.report.HighWaterGauge;
import io.weir.broker.store.QueueKey;
import io.weir.wire.Utf8;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The messages of a queue or of one subscription, and its consumers. Dispatches as soon as a message and a consumer
 * with room are there, to consumers in turn; what no consumer has room for waits here. Confined to its destination's
 * loop; lives until its destination is deleted or its subscription ends.
 */
public final class MessageQueue extends QueueAccess {
    /*
     * The idea
     *
     * A queue has one writer, the loop of its destination. Everything that happens to it happens on that loop, one
     * thing after the other, so that it needs no lock, and so that order is what it is, not something to be
     * restored. Whoever is on another loop hands its work over through the loop's mailbox, in batches. A message
     * that meets a consumer with room goes out in the same call in which it came in: send, dispatch and delivery are
     * one walk down the stack, without a hand-over and without a timer.
     *
     * The unit is the entry: one message in one queue. A topic makes an entry for each subscription that wants the
     * message; all of them share the message's block, the bytes that the client encoded, which is never copied for
     * them. An entry is itself the node of the lists of what is available and of what is at consumers, so that a
     * delivery allocates nothing here.
     *
     * Where an entry is
     *
     *                    enqueue                        serve
     *   (new) ----------------------------> AVAILABLE ---------> MARKING ---------> DELIVERED ----> GONE
     *     |                                  ^   |  |     the store marks it first   |  ^  acknowledged
     *     | delivery time in the future      |   |  +-------------------------------+  |
     *     +--------------> DELAYED ----------+   |       nothing to tell the store     |
     *                         ^    its time      |                                     |
     *                         +------------------|-------------------------------------+ taken back,
     *                                            v                                       with a redelivery delay
     *                                         LEAVING ---> GONE
     *                                            expired, moved or deleted: gone when the store has it so
     *
     * AvailableList holds what may be delivered: one list for each of the ten priorities. DelayedDelivery holds what
     * waits for its time, twice: by the wall clock for a delivery time, which producers give as a date, and by the
     * monotonic clock for a redelivery delay, which somebody who sets the clock must not stretch. DeliveredList
     * holds what is at consumers. MARKING and LEAVING are in no list: a batch of the store holds them until it
     * answers.
     *
     * Order
     *
     * Messages of one priority are delivered in the order in which they came (Jakarta Messaging 3.1, "Message
     * order"); of several, the higher first. An entry gets its sequence when it becomes available for the first
     * time, and keeps it: one that comes back from a consumer, or was delayed after a failure, goes back to its old
     * place, before those that came later. To find that place the list is searched from the front, since what comes
     * back was at the front when it left.
     *
     * Whether a message waits for the disk never changes the order. While a batch is marked nothing overtakes it:
     * dispatch does nothing until the batch has left (DeliveryMarking). Entries whose delivery time is over are let
     * in before a new one is appended, although their timer did not run yet.
     *
     * Dispatch
     *
     * A pass (ConsumerDispatch) asks the consumers in turn, and ends when each of them declined since the last
     * delivery. A consumer takes a message if its session's window has room (WebLogic's MessagesMaximum) or its RECEIVE
     * asks for more. One without room is marked as starving, and then checked a second time: its session, on another
     * loop, frees room first and reads the mark afterwards, so that either the second check sees the room or the
     * session sees the mark and wakes the queue. Without that order a message and a consumer could wait for each other
     * for ever.
     *
     * A consumer with a selector, or one that may not have a message of another's group, remembers for each priority
     * the last entry that it passed over (ScanPosition), so that a rare match is not paid for by a walk through all
     * that waits at each pass. The list keeps these positions right when an entry leaves or goes back to its place.
     * A pass looks at SCAN entries at most, then the loop's other work has its turn and the pass goes on as a new
     * task.
     *
     * A RECEIVE is answered with nothing only when its consumer was asked for everything that waits: not while a
     * pass is unfinished, not while a batch is being marked, and not while its client reads too slowly to be sent
     * anything.
     *
     * The store
     *
     * Persistent messages of a durable queue are given to the store after the dispatch, not before, and the producer
     * gets its answer when they are durable. So the disk works while the consumer does, one forced write serves all
     * that came meanwhile, and what is acknowledged before its batch is written is never written. The record says
     * which copies were delivered at once. What waited here first is in the store as one that was never delivered,
     * so it is marked there before it leaves: after a crash all messages that may have been delivered are flagged
     * redelivered, and only those.
     *
     * If the store refuses a message the producer's send fails. The entry is withdrawn if it is
     * here; if it is at a consumer, it does not come back from there.
     *
     * Invariants
     *
     *  1. An entry is in exactly one list or batch, and its state says in which. GONE is final; forget() runs once
     *     for each.
     *  2. `entries` counts all that are not GONE; available.count() those that are AVAILABLE.
     *  3. Within a priority the available list ascends by sequence, and no two entries of a queue have the same one.
     *     A sequence that is not positive belongs to an entry that was never available.
     *  4. DELIVERED belongs to the consumer's session until that acknowledges it or gives it back, also when the
     *     consumer is closed in between. The session's loop has the entry's tag and flags then; state and lists are
     *     this loop's.
     *  5. Each entry holds one reference to its message. The message holds its room in quota and memory until the
     *     last of them is gone, wherever its entries are.
     *  6. An entry with a copy in the store leaves the queue for good only with the removal of that copy asked for,
     *     or, where it goes elsewhere, done together with the write there. What the disk cannot do now is asked for
     *     again.
     *  7. After each change somebody dispatches. Methods that do not do it themselves say so.
     *
     * What an application saw decides what a message that comes back is (ApplicationSaw): one that it did not see
     * goes back as if it had never left, one that it saw counts as a delivery, toward the limit too
     * (JMSXDeliveryCount, 3.5.11), and one of which nobody can say is flagged but not counted.
     *
     * Sources: Jakarta Messaging 3.1 for order, acknowledgement and redelivery; WebLogic's JMS for MessagesMaximum,
     * the redelivery limit with its error destination, expiration policies and the limit of a subscription;
     * ModelTest in lab tries the invariants against a model, with crashes.
     */

    /** Entries looked at in one go for consumers that want few of them; then others have their turn. */
    public static final int SCAN = 10_000;

    private static final long MILLI = 1_000_000;
    /** What a copy that is moved has more than its message beside two addresses, about. */
    private static final int PROVENANCE_BYTES = 512;

    public final QueueContext context;
    private volatile String name;
    private final AvailableList available = new AvailableList();
    private final DeliveredList delivered = new DeliveredList();
    private final HighWaterGauge entries = new HighWaterGauge();
    private final Redelivery redelivery;
    private final Expiry expiry;
    private final DelayedDelivery delayed;
    private final DelayedDelivery resting;
    private final ConsumerDispatch dispatch;
    private long lastSequence;
    private boolean closed;

    /** @param key its name in the store */
    public MessageQueue(QueueContext context, String name, QueueKey key, boolean durable) {
        super(context.loop, key, durable);
        this.context = context;
        this.name = name;
        this.redelivery = new Redelivery(this);
        this.expiry = new Expiry(this);
        this.delayed = new DelayedDelivery(loop, () -> loop.clock().millis(), this::resume, this::dispatch);
        this.resting = new DelayedDelivery(loop, () -> loop.clock().nanos() / MILLI, this::resume, this::dispatch);
        this.dispatch = new ConsumerDispatch(this);
    }

    /** How operators call it. From any thread. */
    public String name() {
        return name;
    }

    @Override
    public String address() {
        return context.name.kind().topic() ? context.name + "#" + name : context.name.toString();
    }

    public void name(String next) {
        name = next;
    }

    public AvailableList available() {
        return available;
    }

    /** All entries: available, delayed, at consumers. */
    public HighWaterGauge entries() {
        return entries;
    }

    ConsumerRing consumers() {
        return dispatch.consumers();
    }

    public DeliveredList delivered() {
        return delivered;
    }

    /** Entries that are neither available nor at consumers: they wait for their time. From any thread. */
    int waitingForTime() {
        return delayed.count() + resting.count();
    }

    /** Puts an entry in no list off; {@link #reinsert} follows when the time is over, whatever the wall clock does. */
    void rest(QueueEntry e, long millis) {
        e.consumer = null;
        resting.add(e, loop.clock().nanos() / MILLI + millis);
        e.message.settleDown(loop.buffers());
    }

    /** Looks whether something is due that no timer showed, because the wall clock was set. */
    public void lookForDue() {
        delayed.look();
    }

    /** Takes those of the entries that wait for their time out that somebody chooses. */
    List<QueueEntry> takeDelayed(Predicate<QueueEntry> chosen) {
        List<QueueEntry> taken = delayed.take(chosen);
        taken.addAll(resting.take(chosen));
        return taken;
    }

    public Expiry expiry() {
        return expiry;
    }

    boolean isClosed() {
        return closed;
    }

    /**
     * Whether messages are at consumers, or were and are not settled yet; not those that go elsewhere or are marked
     * first.
     */
    public boolean isHeld() {
        return !delivered.isEmpty();
    }

    @Override
    public void add(QueueEntry e, SendCallback sent) {
        if (durable && e.message.persistent() && context.store().isOpen()) {
            addStored(context, List.of(e), sent);
        } else {
            enqueue(e);
            dispatch();
            settleDown(e);
            sent.done(null);
        }
    }

    /** What was not delivered at once waits, and does not keep the buffer it was read into for nothing. */
    private static void settleDown(QueueEntry e) {
        if (e.state == QueueEntry.State.AVAILABLE || e.state == QueueEntry.State.DELAYED) {
            e.message.settleDown(e.queue.loop.buffers());
        }
    }

    /**
     * Takes the entries of one persistent message in durable queues of a destination; stored and dispatched side by
     * side.
     */
    public static void addStored(QueueContext context, List<QueueEntry> entries, SendCallback sent) {
        if (entries.isEmpty()) {
            sent.done(null);
            return;
        }
        for (QueueEntry e : entries) {
            e.queue.enqueue(e);
        }
        for (QueueEntry e : entries) {
            e.queue.dispatch();
        }
        // after the dispatch, so that what went out at once is written as such, and what is acknowledged not at all
        context.store().write(context, entries, sent);
        entries.forEach(MessageQueue::settleDown);
    }

    @Override
    public void publish(QueueEntry e) {
        if (closed) {
            entries.add(1);
            drop(e);
        } else {
            enqueue(e);
            settleDown(e);
        }
    }

    @Override
    public void forgetNew(QueueEntry e) {
        entries.add(1);
        forget(e);
    }

    @Override
    void withdraw(QueueEntry e) {
        if (e.state == QueueEntry.State.AVAILABLE) {
            take(e);
            forget(e);
        } else if (e.state == QueueEntry.State.DELAYED && (delayed.remove(e) || resting.remove(e))) {
            forget(e);
        }
    }

    @Override
    void enqueue(QueueEntry e) {
        entries.add(1);
        expiry.watch(e);
        makeRoom();
        if (e.message.deliveryTime() > 0
                && e.message.deliveryTime() > loop.clock().millis()) {
            delayed.add(e, e.message.deliveryTime());
        } else {
            delayed.catchUp();
            e.sequence = ++lastSequence;
            available.append(e);
        }
    }

    /**
     * At the limit of a subscription its first messages that are not at a consumer are deleted (MessagesLimitOverride).
     */
    private void makeRoom() {
        long limit = context.config().messagesLimit();
        if (limit < 0 || !context.name.kind().topic()) {
            return;
        }
        while (entries.current() > limit) {
            QueueEntry first = available.first();
            if (first == null) {
                return;
            }
            context.counts.overrun.inc();
            take(first);
            drop(first);
        }
    }

    /** A delayed entry's time has come. */
    private void resume(QueueEntry e) {
        if (redelivery.isOver(e)) {
            redelivery.giveUp(e);
            return;
        }
        e.state = QueueEntry.State.AVAILABLE;
        if (e.sequence <= 0) {
            e.sequence = ++lastSequence;
            available.append(e);
        } else {
            available.insert(e);
            dispatch.consumers().inserted(e);
        }
    }

    /** Puts an entry back to its place; {@link #dispatch()} follows. */
    void reinsert(QueueEntry e) {
        e.state = QueueEntry.State.AVAILABLE;
        e.consumer = null;
        available.insert(e);
        dispatch.consumers().inserted(e);
    }

    @Override
    public void dispatch() {
        dispatch.run();
    }

    /** Takes an entry out of the list of those to be delivered. */
    void take(QueueEntry e) {
        dispatch.consumers().leaving(e);
        available.remove(e);
    }

    /** The number of the entry that came last. */
    long lastSequence() {
        return lastSequence;
    }

    /**
     * Deletes entries that are in no list.
     *
     * @param before sees them when they are gone from the store, while they can still be read
     * @param done called on the loop; with a failure they are there still
     */
    public void delete(
            List<QueueEntry> entries, java.util.function.Consumer<List<QueueEntry>> before, SendCallback done) {
        context.store().remove(context, entries, failure -> {
            if (failure == null) {
                before.accept(entries);
                entries.forEach(this::forget);
            }
            done.done(failure);
        });
    }

    @Override
    public int provenanceBytes() {
        return PROVENANCE_BYTES + 2 * Utf8.size(address());
    }

    /** An entry that was to leave does not, for now. */
    void stayLater(QueueEntry e, long millis) {
        if (closed) {
            drop(e);
        } else {
            rest(e, millis);
        }
    }

    /** Entries that were to leave do not after all; {@link #dispatch()} follows. */
    void stay(List<QueueEntry> entries) {
        for (QueueEntry e : entries) {
            if (closed) {
                drop(e);
            } else {
                reinsert(e);
            }
        }
    }

    @Override
    public void acknowledged(QueueEntry e) {
        context.counts.acknowledged.inc();
        delivered.remove(e);
        context.store().remove(e);
        forget(e);
    }

    /** Removes an entry that is in no list: expired, over a limit, deleted. */
    void drop(QueueEntry e) {
        context.store().remove(e);
        forget(e);
    }

    @Override
    public void forget(QueueEntry e) {
        if (e.state == QueueEntry.State.GONE) {
            return;
        }
        e.state = QueueEntry.State.GONE;
        entries.subtract(1);
        if (e.message.release()) {
            context.counts.left(e.message.size());
        }
    }

    @Override
    public void takeBack(QueueEntry e, ApplicationSaw seen, long delayMillis) {
        delivered.remove(e);
        if (closed || e.isRefused()) {
            drop(e);
        } else if (seen == ApplicationSaw.YES) {
            redelivery.takeBack(e, delayMillis);
        } else {
            e.doubtful |= seen == ApplicationSaw.MAYBE;
            reinsert(e);
        }
    }

    @Override
    public void attach(QueueConsumer c) {
        dispatch.attach(c);
    }

    @Override
    public void detach(QueueConsumer c) {
        dispatch.detach(c);
    }

    @Override
    public void receive(QueueConsumer c, ReceiveRequest r, long timeoutMillis) {
        dispatch.receiving().begin(c, r, timeoutMillis);
    }

    @Override
    public void cancelReceive(QueueConsumer c, int request) {
        dispatch.receiving().cancel(c, request);
    }

    public DeliveryMarking marking() {
        return dispatch.marking();
    }

    /** Every entry that is not at a consumer, in the order of delivery, delayed ones last. */
    public List<QueueEntry> waiting() {
        List<QueueEntry> all = new ArrayList<>();
        for (QueueEntry e = available.first(); e != null; e = available.after(e)) {
            all.add(e);
        }
        all.addAll(delayed.all());
        all.addAll(resting.all());
        return all;
    }

    /** Closes all consumers: the destination is deleted. */
    public void evict() {
        dispatch.evict();
    }

    /** The broker ends: memory is given back, what is in the store stays there. */
    public void abandon() {
        for (QueueEntry e : waiting()) {
            e.copy = null;
        }
        close();
    }

    /** The queue is deleted: what waits is removed, what is at consumers is when it comes back. */
    public void close() {
        if (closed) {
            return;
        }
        for (QueueEntry e : waiting()) {
            if (e.state == QueueEntry.State.AVAILABLE) {
                take(e);
            }
            drop(e);
        }
        delayed.clear();
        resting.clear();
        closed = true;
    }
}
