package io.weir.broker.queue;

import io.weir.broker.loop.BrokerLoop;
import io.weir.broker.report.RequestRefusal;

/**
 * What a queue needs of the session of a consumer: whether it takes messages, and handing them over. Called by the
 * destinations' loops; what changes the session hops to its own.
 */
public interface ConsumerSession {
    BrokerLoop loop();

    /** The pipeline of its asynchronous consumers. */
    SessionWindow window();

    /** Whether deliveries may go out: the connection is started and its client reads. */
    boolean flowing();

    /** Whether the connection is started: deliveries go out as soon as its client reads, and its consumers are woken then. */
    boolean isStarted();

    /** Whether messages count as acknowledged when they are handed over. */
    boolean noAcknowledge();

    /** Whose consumer it is, for noLocal: the connection, or all of its client identifier. */
    long origin();

    /** Changes whenever the session took everything back: what was chosen before goes back too. */
    int generation();

    /** Who it is, for logs. */
    String who();

    /** Sends an entry to the consumer. It is the session's until it is acknowledged or taken back. */
    void deliver(QueueEntry e, QueueConsumer c);

    /** The consumer was closed by the broker. */
    void evicted(QueueConsumer c, RequestRefusal why);

    /** A RECEIVE is answered; its deliveries were handed over before. */
    void receiveDone(int request, int count);
}
