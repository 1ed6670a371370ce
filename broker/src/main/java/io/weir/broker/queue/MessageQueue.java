package io.weir.broker.queue;

import io.weir.broker.report.HighWaterGauge;
import io.weir.broker.store.QueueKey;
import io.weir.wire.Utf8;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The messages of a queue or of one subscription, and its consumers. Dispatches to consumers in turn as soon as there
 * are a message and a consumer with room; other messages wait here. Confined to its destination's loop; lives until its
 * destination is deleted or its subscription ends.
 */
public final class MessageQueue extends QueueAccess {
    /*
     * The idea
     *
     * A queue has one writer, the loop of its destination. Everything that happens to it happens on that loop, one
     * thing after the other, so that it needs no lock and order never has to be restored. Other loops post their work
     * through the loop's mailbox, in batches. A message that finds a consumer with room is sent in the same call in
     * which it arrived: send, dispatch and delivery are one call stack, without a thread switch and without a timer.
     *
     * The unit is the entry: one message in one queue. A topic creates an entry for each subscription that matches the
     * message; all of them share the message's block, the bytes that the client encoded, which is never copied for
     * them. Entries are intrusive nodes of the lists of available and of delivered entries, so that a delivery
     * allocates nothing here.
     *
     * States of an entry
     *
     *                    enqueue                        serve
     *   (new) ----------------------------> AVAILABLE ---------> MARKING ---------> DELIVERED ----> GONE
     *     |                                  ^   |  |     the store marks it first   |  ^  acknowledged
     *     | delivery time in the future      |   |  +-------------------------------+  |
     *     +--------------> DELAYED ----------+   |       no mark in the store needed   |
     *                         ^    its time      |                                     |
     *                         +------------------|-------------------------------------+ taken back,
     *                                            v                                       with a redelivery delay
     *                                         LEAVING ---> GONE
     *                                            expired, moved or deleted: gone when that is durable
     *
     * AvailableList holds deliverable entries: one list for each of the ten priorities. DelayedDelivery holds delayed
     * entries, in two instances: by the wall clock for a delivery time, which producers give as a date, and by the
     * monotonic clock for a redelivery delay, which a change of the system clock must not stretch. DeliveredList holds
     * the entries at consumers. MARKING and LEAVING entries are in no list: a batch of the store holds them until it
     * completes.
     *
     * Order
     *
     * Messages of one priority are delivered in order of arrival (Jakarta Messaging 3.1, "Message order"), those of a
     * higher priority first. An entry gets its sequence when it becomes available for the first time, and keeps it: one
     * that is returned by a consumer, or was delayed after a failure, goes back to its old place, before those that
     * arrived later. That place is searched from the front, because a returned entry was at the front when it left.
     *
     * Waiting for the disk never changes the order. While a batch is being marked nothing overtakes it: dispatch does
     * nothing until the batch is sent (DeliveryMarking). Entries whose delivery time has passed are made available
     * before a new one is appended, even if their timer has not fired yet.
     *
     * Dispatch
     *
     * A pass (ConsumerDispatch) offers messages to the consumers in turn, and ends when each of them has declined since
     * the last delivery. A consumer takes a message if its session's window has room (WebLogic's MessagesMaximum) or
     * its RECEIVE requests more. One without room is marked as starved, and then checked a second time: its session, on
     * another loop, frees room first and reads the mark afterwards, so that either the second check sees the room or
     * the session sees the mark and wakes the queue. Without that order a message and a consumer could wait for each
     * other forever.
     *
     * A consumer with a selector, or one that must not get a message of another's group, remembers for each priority
     * the last entry that it passed over (ScanPosition), so that a rare match does not cost a scan of all waiting
     * messages at each pass. These positions are updated when an entry leaves or returns to its place. A pass examines
     * at most SCAN entries, then the loop's other work gets its turn and the pass continues as a new task.
     *
     * A RECEIVE is answered empty only after all waiting messages were matched against its consumer: not while a pass
     * is unfinished, not while a batch is being marked, and not while its client reads too slowly to be sent anything.
     *
     * The store
     *
     * Persistent messages of a durable queue are passed to the store after the dispatch, not before, and the producer
     * gets its answer when they are durable. So the disk works in parallel with the consumer, one forced write serves
     * all messages that arrived in the meantime, and a message acknowledged before its batch is written is never
     * written. The record contains which copies were delivered at once. A message that waited here first is in the
     * store without a delivery mark, so it is marked there before it is sent: after a crash exactly the messages that
     * may have been delivered are flagged redelivered.
     *
     * If the store refuses a message the producer's send fails. The entry is withdrawn if it is here; if it is at a
     * consumer, it is dropped when it is returned.
     *
     * Invariants
     *
     * 1. An entry is in exactly one list or batch, given by its state. GONE is final; forget() runs once for each. 2.
     * `entries` counts all that are not GONE; available.count() those that are AVAILABLE. 3. Within a priority the
     * available list ascends by sequence, and no two entries of a queue have the same one. A sequence that is not
     * positive belongs to an entry that was never available. 4. A DELIVERED entry belongs to the consumer's session
     * until the session acknowledges or returns it, even if the consumer is closed in between. The session's loop owns
     * the entry's tag and flags then; this loop owns state and lists. 5. Each entry holds one reference to its message.
     * The message holds its room in quota and memory until the last of them is gone, wherever its entries are. 6. An
     * entry with a copy in the store leaves the queue for good only after the removal of that copy was requested, or,
     * if it is moved, together with the write at its new destination. What the disk cannot do now is retried. 7. Each
     * change is followed by a dispatch. Methods that leave it to their caller document it.
     *
     * How a returned message is treated depends on what the application saw (ApplicationSaw): one that it did not see
     * goes back as if it had never left, one that it saw counts as a delivery, also toward the limit
     * (JMSXDeliveryCount, 3.5.11), and one of which this is unknown is flagged but not counted.
     *
     * Sources: Jakarta Messaging 3.1 for order, acknowledgement and redelivery; WebLogic's JMS for MessagesMaximum, the
     * redelivery limit with its error destination, expiration policies and the limit of a subscription; ModelTest in
     * lab checks the invariants against a model, with crashes.
     */

    /** Maximum entries examined in one pass; then other work of the loop gets its turn. */
    public static final int SCAN = 10_000;

    private static final long MILLI = 1_000_000;
    /** Approximate bytes that a moved copy has in addition to its message, without two addresses. */
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
    private final UnitsOfOrder units = new UnitsOfOrder(this);
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

    /** Its name for operators. From any thread. */
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

    UnitsOfOrder units() {
        return units;
    }

    ConsumerRing consumers() {
        return dispatch.consumers();
    }

    public DeliveredList delivered() {
        return delivered;
    }

    /** The number of delayed entries. From any thread. */
    int waitingForTime() {
        return delayed.count() + resting.count();
    }

    /** Delays an entry that is in no list; {@link #reinsert} follows when the time is over, by the monotonic clock. */
    void rest(QueueEntry e, long millis) {
        e.consumer = null;
        resting.add(e, loop.clock().nanos() / MILLI + millis);
        e.message.settleDown(loop.buffers());
    }

    /** Releases entries that are due without a timer having fired, because the wall clock was set. */
    public void lookForDue() {
        delayed.look();
    }

    /** Removes and returns the delayed entries that match. */
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
     * Whether messages are at consumers, or were and are not settled yet; those that are being moved or marked do not
     * count.
     */
    public boolean isHeld() {
        return !delivered.isEmpty();
    }

    @Override
    public void add(QueueEntry e, SendCallback sent) {
        if (stores(e.message)) {
            addStored(context, List.of(e), sent);
        } else {
            enqueue(e);
            dispatch();
            settleDown(e);
            sent.done(null);
        }
    }

    /** Whether it writes a message into the store. */
    public boolean stores(Message m) {
        return durable && m.persistent() && context.store().isOpen();
    }

    /** Settles an entry that was not delivered at once, so that it does not pin the buffer it was read into. */
    private static void settleDown(QueueEntry e) {
        if (e.state == QueueEntry.State.AVAILABLE || e.state == QueueEntry.State.DELAYED) {
            e.message.settleDown(e.queue.loop.buffers());
        }
    }

    /**
     * Adds the entries of one persistent message to durable queues of a destination; storing and dispatch run in
     * parallel.
     */
    public static void addStored(QueueContext context, List<QueueEntry> entries, SendCallback sent) {
        if (entries.isEmpty()) {
            sent.done(null);
            return;
        }
        for (QueueEntry e : entries) {
            e.queue.enqueueUnwritten(e);
        }
        for (QueueEntry e : entries) {
            e.queue.dispatch();
        }
        // after the dispatch, so that messages sent at once are written as delivered, and acknowledged ones not at all
        context.store().write(context, entries, sent);
        entries.forEach(MessageQueue::settleDown);
    }

    @Override
    public void publish(QueueEntry e) {
        entries.add(1);
        admit(e);
    }

    @Override
    public void restore(QueueEntry e) {
        entries.restore(1);
        admit(e);
    }

    @Override
    public void restoreHeld(QueueEntry e) {
        entries.restore(1);
        e.sequence = ++lastSequence;
        e.state = QueueEntry.State.DELIVERED;
        delivered.add(e);
        units.arrived(e);
        dispatch.held(e);
    }

    private void admit(QueueEntry e) {
        if (closed) {
            drop(e);
        } else {
            place(e);
            settleDown(e);
        }
    }

    @Override
    public void forgetNew(QueueEntry e) {
        entries.raise(1);
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

    private void enqueue(QueueEntry e) {
        entries.add(1);
        place(e);
    }

    @Override
    void enqueueUnwritten(QueueEntry e) {
        entries.raise(1);
        place(e);
    }

    @Override
    void received() {
        entries.count(1);
    }

    private void place(QueueEntry e) {
        expiry.watch(e);
        units.arrived(e);
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
     * Deletes a subscription's first messages that are not at a consumer when it is at its limit
     * (MessagesLimitOverride).
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

    /** A delayed entry is due. */
    private void resume(QueueEntry e) {
        if (redelivery.isOver(e)) {
            redelivery.limitReached(e);
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

    /** Puts an entry back to its place; the caller calls {@link #dispatch()}. */
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

    /** Removes an entry from the available list. */
    void take(QueueEntry e) {
        dispatch.consumers().leaving(e);
        available.remove(e);
    }

    /** The sequence of the last entry that became available. */
    long lastSequence() {
        return lastSequence;
    }

    /**
     * Deletes entries that are in no list.
     *
     * @param before called with them when they are removed from the store, while they can still be read
     * @param done called on the loop; after a failure they are still there
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

    /** Delays an entry that was to leave and could not. */
    void stayLater(QueueEntry e, long millis) {
        if (closed) {
            drop(e);
        } else {
            rest(e, millis);
        }
    }

    /** Reinserts entries that were to leave and could not; the caller calls {@link #dispatch()}. */
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
        dispatch.settled(e);
        context.store().remove(e);
        forget(e);
    }

    /** Removes an entry that is in no list, because it is expired, over a limit or deleted. */
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
        units.gone(e);
        entries.subtract(1);
        if (e.message.release()) {
            context.counts.left(e.message.size());
        }
    }

    @Override
    public void takeBack(QueueEntry e, ApplicationSaw seen, long delayMillis) {
        delivered.remove(e);
        dispatch.settled(e);
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

    /** All entries that are not at a consumer, in the order of delivery, delayed ones last. */
    public List<QueueEntry> waiting() {
        List<QueueEntry> all = new ArrayList<>();
        for (QueueEntry e = available.first(); e != null; e = available.after(e)) {
            all.add(e);
        }
        all.addAll(delayed.all());
        all.addAll(resting.all());
        return all;
    }

    /** Closes all consumers, because the destination is deleted. */
    public void evict() {
        dispatch.evict();
    }

    /** Releases the memory of all messages when the broker stops; their copies in the store remain. */
    public void abandon() {
        for (QueueEntry e : waiting()) {
            e.copy = null;
        }
        close();
    }

    /** Closes the deleted queue: waiting messages are removed, those at consumers when they are returned. */
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
