package io.weir.broker.queue;

import io.weir.broker.loop.BrokerLoop;
import io.weir.broker.store.QueueKey;

/**
 * The queue of an entry, as seen by temporary holders of the entry: a session until it is acknowledged, a commit until
 * it is published, the store until it is written. {@link MessageQueue} is its only implementation; an entry does not
 * depend on how its queue works. The methods are called on its loop.
 */
public abstract class QueueAccess {
    /** The loop of its destination, which owns it. */
    public final BrokerLoop loop;
    /** Whether persistent messages are stored. */
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

    /** Its address for administrators: {@code queue/orders}, {@code topic/news#shop.all}. */
    public abstract String address();

    /** The approximate number of bytes that a move adds to one of its messages. */
    public abstract int provenanceBytes();

    /** Adds a consumer and delivers waiting messages to it. */
    public abstract void attach(QueueConsumer c);

    /** Removes a consumer; the messages it has stay with its session. */
    public abstract void detach(QueueConsumer c);

    /**
     * Requests messages for a synchronous consumer; its session is called back when it has them.
     *
     * @param timeoutMillis -1 to wait forever, 0 for messages available now
     */
    public abstract void receive(QueueConsumer c, ReceiveRequest r, long timeoutMillis);

    /** Ends the consumer's RECEIVE with this number, if it is pending. */
    public abstract void cancelReceive(QueueConsumer c, int request);

    /** Delivers messages that can be delivered. */
    public abstract void dispatch();

    /** Removes a delivered entry that was acknowledged or settled otherwise. */
    public abstract void acknowledged(QueueEntry e);

    /**
     * Takes a delivered entry back; the caller calls {@link #dispatch()}.
     *
     * @param seen whether an application saw it
     * @param delayMillis the session's redelivery delay
     */
    public abstract void takeBack(QueueEntry e, ApplicationSaw seen, long delayMillis);

    /**
     * Adds a new entry: it is delivered at once if a consumer has room, and stored in parallel if it is persistent.
     *
     * @param sent called when it is stored as its delivery mode requires, or refused
     */
    public abstract void add(QueueEntry e, SendCallback sent);

    /** Adds a new entry, which may still be refused, to the available or the delayed ones, without a dispatch. */
    abstract void enqueueUnwritten(QueueEntry e);

    /** An entry that was added like that is written: it was received. */
    abstract void received();

    /** Adds a committed entry, without a dispatch. */
    public abstract void publish(QueueEntry e);

    /** Puts an entry of an earlier run back. */
    public abstract void restore(QueueEntry e);

    /** Puts an entry of an earlier run back that a prepared transaction has consumed: its end settles it. */
    public abstract void restoreHeld(QueueEntry e);

    /** Discards an entry that was to be published. */
    public abstract void forgetNew(QueueEntry e);

    /** Releases an entry that the store does not hold or that is already removed from it. */
    public abstract void forget(QueueEntry e);

    /** Removes an entry that the store refused, as soon as no consumer holds it. */
    abstract void withdraw(QueueEntry e);
}
