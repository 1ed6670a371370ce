package io.weir.broker;

import io.weir.broker.store.QueueKey;
import io.weir.jms.frames.RefusalCode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The messages of a queue or of one subscription, and its consumers. Dispatches as soon as a message and a consumer with
 * room are there, to consumers in turn; what nobody has room for waits here. Confined to its destination's loop.
 */
final class MessageQueue {
    /** Entries looked at in one go for consumers that want few of them; then others have their turn. */
    static final int SCAN = 10_000;

    private static final long MILLI = 1_000_000;

    final Destination destination;
    final Loop loop;
    /** Whether persistent messages are kept in the store. */
    final boolean durable;

    private final QueueKey key;
    private volatile String name;
    private final PendingList available = new PendingList();
    private final Delivered delivered = new Delivered();
    private final ConsumerRing consumers = new ConsumerRing();
    private final Tally entries = new Tally();
    private final Choice choice = new Choice(this);
    private final Redelivery redelivery;
    private final Expiry expiry;
    private final DelayedDelivery delayed;
    private final DelayedDelivery resting;
    private final Marking marking;
    private final Receiving receiving = new Receiving(this);
    private long lastSequence;
    private boolean dispatching;
    private boolean looking;
    /** A dispatch was asked for while a batch was marked, and waits for its end. */
    private boolean putOff;

    private boolean closed;

    /** @param key its name in the store */
    MessageQueue(Destination destination, String name, QueueKey key, boolean durable) {
        this.destination = destination;
        this.name = name;
        this.loop = destination.loop;
        this.durable = durable;
        this.key = key;
        this.redelivery = new Redelivery(this);
        this.expiry = new Expiry(this);
        this.delayed = new DelayedDelivery(loop, () -> loop.clock().millis(), this::resume, this::dispatch);
        this.resting = new DelayedDelivery(loop, () -> loop.clock().nanos() / MILLI, this::resume, this::dispatch);
        this.marking = new Marking(this);
    }

    /** How operators call it. From any thread. */
    String name() {
        return name;
    }

    /** As administrators name where it is: {@code queue/orders}, {@code topic/news#shop.all}. */
    String address() {
        return destination instanceof QueueDestination ? destination.name.toString() : destination.name + "#" + name;
    }

    void name(String next) {
        name = next;
    }

    PendingList available() {
        return available;
    }

    /** All entries: available, delayed, at consumers. */
    Tally entries() {
        return entries;
    }

    ConsumerRing consumers() {
        return consumers;
    }

    Delivered delivered() {
        return delivered;
    }

    /** Entries that are neither available nor at consumers: they wait for their time. From any thread. */
    int waitingForTime() {
        return delayed.count() + resting.count();
    }

    /** Puts an entry in no list off; {@link #reinsert} follows when the time is over, whatever the wall clock does. */
    void rest(Entry e, long millis) {
        e.consumer = null;
        resting.add(e, loop.clock().nanos() / MILLI + millis);
        e.message.settleDown(loop.buffers());
    }

    /** Looks whether something is due that no timer showed, because the wall clock was set. */
    void lookForDue() {
        delayed.look();
    }

    /** Takes those of the entries that wait for their time out that somebody chooses. */
    List<Entry> takeDelayed(Predicate<Entry> chosen) {
        List<Entry> taken = delayed.take(chosen);
        taken.addAll(resting.take(chosen));
        return taken;
    }

    Expiry expiry() {
        return expiry;
    }

    boolean isClosed() {
        return closed;
    }

    /** Whether messages are at consumers, or were and are not settled yet; not those that go elsewhere or are marked first. */
    boolean isHeld() {
        return !delivered.isEmpty();
    }

    /** Takes a new entry: delivered at once where a consumer has room, and stored meanwhile when it is persistent. */
    void add(Entry e, Sent sent) {
        if (durable && e.message.persistent() && destination.engine.store().isOpen()) {
            addStored(destination, List.of(e), sent);
        } else {
            enqueue(e);
            dispatch();
            settleDown(e);
            sent.done(null);
        }
    }

    /** What was not delivered at once waits, and does not keep the buffer it was read into for nothing. */
    private static void settleDown(Entry e) {
        if (e.state == Entry.State.AVAILABLE || e.state == Entry.State.DELAYED) {
            e.message.settleDown(e.queue.loop.buffers());
        }
    }

    /** Takes the entries of one persistent message in durable queues of a destination; stored and dispatched side by side. */
    static void addStored(Destination destination, List<Entry> entries, Sent sent) {
        if (entries.isEmpty()) {
            sent.done(null);
            return;
        }
        for (Entry e : entries) {
            e.queue.enqueue(e);
        }
        for (Entry e : entries) {
            e.queue.dispatch();
        }
        // after the dispatch, so that what went out at once is written as such, and what is acknowledged not at all
        destination.engine.store().write(destination, entries, sent);
        entries.forEach(MessageQueue::settleDown);
    }

    /** Its name in the store. */
    QueueKey key() {
        return key;
    }

    /** Takes an entry that is committed, without delivering. */
    void publish(Entry e) {
        if (closed) {
            entries.add(1);
            drop(e);
        } else {
            enqueue(e);
            settleDown(e);
        }
    }

    /** An entry that was to be published is not. */
    void forgetNew(Entry e) {
        entries.add(1);
        forget(e);
    }

    /** The store refused an entry: it goes, as soon as nobody has it. */
    void withdraw(Entry e) {
        if (e.state == Entry.State.AVAILABLE) {
            take(e);
            forget(e);
        } else if (e.state == Entry.State.DELAYED && (delayed.remove(e) || resting.remove(e))) {
            forget(e);
        }
    }

    /** Puts a new entry where it belongs, without delivering. */
    void enqueue(Entry e) {
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

    /** At the limit of a subscription its first messages that are not at a consumer are deleted (MessagesLimitOverride). */
    private void makeRoom() {
        long limit = destination.config().messagesLimit();
        if (limit < 0 || !destination.name.kind().topic()) {
            return;
        }
        while (entries.current() > limit) {
            Entry first = available.first();
            if (first == null) {
                return;
            }
            destination.counts.overrun.inc();
            take(first);
            drop(first);
        }
    }

    /** A delayed entry's time has come. */
    private void resume(Entry e) {
        if (redelivery.isOver(e)) {
            redelivery.giveUp(e);
            return;
        }
        e.state = Entry.State.AVAILABLE;
        if (e.sequence <= 0) {
            e.sequence = ++lastSequence;
            available.append(e);
        } else {
            available.insert(e);
            consumers.inserted(e);
        }
    }

    /** Puts an entry back to its place; {@link #dispatch()} follows. */
    void reinsert(Entry e) {
        e.state = Entry.State.AVAILABLE;
        e.consumer = null;
        available.insert(e);
        consumers.inserted(e);
    }

    /** Delivers what can be delivered. */
    void dispatch() {
        if (dispatching) {
            return;
        }
        putOff = marking.isBusy();
        if (putOff) {
            return;
        }
        if (closed
                || available.isEmpty()
                || consumers.isEmpty()
                || destination.isPaused(Destination.Stage.CONSUMPTION)) {
            looked();
            return;
        }
        dispatching = true;
        choice.begin();
        try {
            int inVain = 0;
            while (inVain < consumers.size() && !available.isEmpty() && !choice.isOver()) {
                inVain = serve(consumers.next()) ? 0 : inVain + 1;
            }
        } finally {
            dispatching = false;
        }
        marking.submit();
        if (choice.isOver()) {
            looking = true;
            loop.post(this::dispatch);
            receiving.answer();
        } else {
            looked();
        }
    }

    /** All that waits was looked at: who has no message now gets none. */
    private void looked() {
        looking = false;
        receiving.answer();
    }

    /** Whether messages are left of which whoever made this RECEIVE was not asked yet whether one is its own. */
    boolean isLooking(Receive r) {
        return looking || ((putOff || r.isPassedOver()) && !available.isEmpty());
    }

    private boolean serve(Consumer c) {
        if (!c.asked()) {
            return false;
        }
        Entry e = choice.next(c);
        if (e == null) {
            return false;
        }
        if (!c.take(e)) {
            // the session's other consumers took the room: when there is some again, it wakes this queue
            c.starve();
            return c.isOpen();
        }
        take(e);
        // not when it is handed over: while it is marked, the next of its group would go to another
        choice.given(e, c);
        if (marking.needs(e)) {
            marking.add(e, c);
        } else {
            hand(e, c);
        }
        return true;
    }

    /** Hands an entry that was taken to its consumer. */
    void hand(Entry e, Consumer c) {
        e.state = Entry.State.DELIVERED;
        e.consumer = c;
        delivered.add(e);
        c.progressed = true;
        destination.counts.delivered.inc();
        c.session.deliver(e, c);
    }

    /** Takes an entry out of the list of those to be delivered. */
    void take(Entry e) {
        consumers.leaving(e);
        available.remove(e);
    }

    /** The number of the entry that came last. */
    long lastSequence() {
        return lastSequence;
    }

    /** An entry that was to leave does not, for now. */
    void stayLater(Entry e, long millis) {
        if (closed) {
            drop(e);
        } else {
            rest(e, millis);
        }
    }

    /** Entries that were to leave do not after all; {@link #dispatch()} follows. */
    void stay(List<Entry> entries) {
        for (Entry e : entries) {
            if (closed) {
                drop(e);
            } else {
                reinsert(e);
            }
        }
    }

    /** Delivered and acknowledged, or settled otherwise: it is gone. */
    void acknowledged(Entry e) {
        destination.counts.acknowledged.inc();
        delivered.remove(e);
        destination.engine.store().remove(e);
        forget(e);
    }

    /** Removes an entry that is in no list: expired, over a limit, deleted. */
    void drop(Entry e) {
        destination.engine.store().remove(e);
        forget(e);
    }

    /** Lets go of an entry that the store does not hold or that is already removed from it. */
    void forget(Entry e) {
        if (e.state == Entry.State.GONE) {
            return;
        }
        e.state = Entry.State.GONE;
        entries.subtract(1);
        if (e.message.release()) {
            destination.left(e.message);
        }
    }

    /**
     * Takes a delivered entry back.
     *
     * @param seen whether an application saw it
     * @param delayMillis the session's redelivery delay
     */
    void takeBack(Entry e, Seen seen, long delayMillis) {
        delivered.remove(e);
        if (closed || e.isRefused()) {
            drop(e);
        } else if (seen == Seen.YES) {
            redelivery.takeBack(e, delayMillis);
        } else {
            e.doubtful |= seen == Seen.MAYBE;
            reinsert(e);
        }
    }

    void attach(Consumer c) {
        if (c.closed) {
            return;
        }
        c.lastProgress = loop.clock().nanos();
        consumers.add(c);
        destination.counts.consumers.incrementAndGet();
        dispatch();
    }

    /** The consumer takes no more; what it has stays with its session. */
    void detach(Consumer c) {
        if (c.closed) {
            return;
        }
        c.closed = true;
        receiving.end(c);
        if (consumers.remove(c)) {
            destination.counts.consumers.decrementAndGet();
        }
        if (choice.forget(c)) {
            consumers.lookAgain();
        }
        dispatch();
    }

    /** What synchronous consumers ask for. */
    Receiving receiving() {
        return receiving;
    }

    Marking marking() {
        return marking;
    }

    /** After marked entries were handed over. */
    void marked() {
        // before anybody is told that there is nothing: what waits meanwhile is given out first
        dispatch();
    }

    /** Every entry that is not at a consumer, in the order of delivery, delayed ones last. */
    List<Entry> waiting() {
        List<Entry> all = new ArrayList<>();
        for (Entry e = available.first(); e != null; e = available.after(e)) {
            all.add(e);
        }
        all.addAll(delayed.all());
        all.addAll(resting.all());
        return all;
    }

    /** Closes all consumers: the destination is deleted. */
    void evict() {
        Refusal why = new Refusal(
                RefusalCode.DESTINATION_DELETED, destination.name + " was deleted: create a consumer elsewhere");
        // what a closed one gives up is not for those that are closed next
        dispatching = true;
        for (int i = consumers.size() - 1; i >= 0; i--) {
            Consumer c = consumers.get(i);
            detach(c);
            c.session.evicted(c, why);
        }
        dispatching = false;
    }

    /** The broker ends: memory is given back, what is in the store stays there. */
    void abandon() {
        for (Entry e : waiting()) {
            e.copy = null;
        }
        close();
    }

    /** The queue is deleted: what waits is removed, what is at consumers is when it comes back. */
    void close() {
        if (closed) {
            return;
        }
        for (Entry e : waiting()) {
            if (e.state == Entry.State.AVAILABLE) {
                take(e);
            }
            drop(e);
        }
        delayed.clear();
        resting.clear();
        closed = true;
    }
}
