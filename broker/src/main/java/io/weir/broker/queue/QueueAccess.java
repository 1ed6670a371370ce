package io.weir.broker.queue;

import io.weir.broker.loop.BrokerLoop;
import io.weir.broker.store.QueueKey;

/**
 * The queue that an entry is in, as those know it who have the entry for a while: a session until it is acknowledged, a
 * commit until it is published, the store until it is written. The door of {@link MessageQueue}, its only kind, so that
 * an entry does not know how its queue works. The methods are for its loop.
 */
public abstract class QueueAccess {
    /** The loop of its destination, which owns it. */
    public final BrokerLoop loop;
    /** Whether persistent messages are kept in the store. */
    public final boolean durable;

    private final QueueKey key;

    public QueueAccess(BrokerLoop loop, QueueKey key, boolean durable) {
        this.loop = loop;
        this.key = key;
        this.durable = durable;
    }

    /** Its name in the store. */
    public final QueueKey key() {
        return key;
    }

    /** As administrators name where it is: {@code queue/orders}, {@code topic/news#shop.all}. */
    public abstract String address();

    /** What a copy of one of its messages has more than the message when it is moved, about, in bytes. */
    public abstract int provenanceBytes();

    /** Takes a consumer in and gives it what there is. */
    public abstract void attach(QueueConsumer c);

    /** The consumer takes no more; what it has stays with its session. */
    public abstract void detach(QueueConsumer c);

    /**
     * A synchronous consumer asks for messages; its session is called back when it has them.
     *
     * @param timeoutMillis -1 for ever, 0 for what is there now
     */
    public abstract void receive(QueueConsumer c, ReceiveRequest r, long timeoutMillis);

    /** Ends the consumer's RECEIVE with this number, if that is what it waits for. */
    public abstract void cancelReceive(QueueConsumer c, int request);

    /** Delivers what can be delivered. */
    public abstract void dispatch();

    /** A delivered entry is acknowledged, or settled otherwise: it is gone. */
    public abstract void acknowledged(QueueEntry e);

    /**
     * Takes a delivered entry back; {@link #dispatch()} follows.
     *
     * @param seen whether an application saw it
     * @param delayMillis the session's redelivery delay
     */
    public abstract void takeBack(QueueEntry e, ApplicationSaw seen, long delayMillis);

    /**
     * Takes a new entry: delivered at once where a consumer has room, and stored meanwhile when it is persistent.
     *
     * @param sent called when it is as safe as it asks for, or refused
     */
    public abstract void add(QueueEntry e, SendCallback sent);

    /** Puts a new entry where it belongs, without delivering. */
    abstract void enqueue(QueueEntry e);

    /** Takes an entry that is committed, without delivering. */
    public abstract void publish(QueueEntry e);

    /** An entry that was to be published is not. */
    public abstract void forgetNew(QueueEntry e);

    /** Lets go of an entry that the store does not hold or that is already removed from it. */
    public abstract void forget(QueueEntry e);

    /** The store refused an entry: removes it as soon as no consumer holds it. */
    abstract void withdraw(QueueEntry e);
}
