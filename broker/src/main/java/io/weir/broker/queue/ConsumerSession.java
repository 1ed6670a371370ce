package io.weir.broker.queue;

import io.weir.broker.loop.BrokerLoop;
import io.weir.broker.report.RequestRefusal;

/**
 * The session of a consumer as a queue sees it: whether it takes messages, and their delivery. Called on the
 * destinations' loops; changes of the session are posted to its own loop.
 */
public interface ConsumerSession {
    BrokerLoop loop();

    /** The pipeline of its asynchronous consumers. */
    SessionWindow window();

    /** Whether deliveries can be sent: the connection is started and writable. */
    boolean flowing();

    /**
     * Whether the connection is started: deliveries are sent as soon as it is writable, and its consumers are woken
     * then.
     */
    boolean isStarted();

    /**
     * Whether some of its messages can go back while others stay with its client: then those of a unit of order are pushed
     * to it one at a time.
     */
    boolean returnsParts();

    /** Whether messages count as acknowledged when they are delivered. */
    boolean noAcknowledge();

    /** The origin for noLocal: the number of the connection, or of all connections with its client identifier. */
    long origin();

    /** Changes whenever the session returns all its messages: those chosen before are returned too. */
    int generation();

    /** A description for logs. */
    String who();

    /** Sends an entry to the consumer. The session owns it until it is acknowledged or taken back. */
    void deliver(QueueEntry e, QueueConsumer c);

    /** The consumer was closed by the broker. */
    void evicted(QueueConsumer c, RequestRefusal why);

    /** A RECEIVE is complete; its deliveries were sent before. */
    void receiveDone(int request, int count);
}
