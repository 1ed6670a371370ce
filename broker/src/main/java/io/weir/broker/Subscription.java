package io.weir.broker;

import io.weir.jms.frames.MessageView;
import io.weir.jms.selector.Selector;
import org.jspecify.annotations.Nullable;

/**
 * A subscription to a topic: which messages it wants, and the queue that holds them for its consumers. Confined to the
 * topic's loop; a durable one lives until it is unsubscribed, others with their last consumer.
 */
final class Subscription {
    /** The key of one that only its consumer knows; the others' are in {@link Subscriptions}. */
    static final String PRIVATE = "";

    final String key;
    final TopicDestination topic;
    final @Nullable Selector selector;
    final boolean durable;
    /** Messages of this connection are not wanted (noLocal); 0: all are. */
    private volatile long notFrom;

    final MessageQueue queue;

    Subscription(String key, TopicDestination topic, @Nullable Selector selector, boolean durable) {
        this.key = key;
        this.topic = topic;
        this.selector = selector;
        this.durable = durable;
        this.queue = new MessageQueue(topic, key.isEmpty() ? topic.name.name() : key, durable);
    }

    void notFrom(long connection) {
        notFrom = connection;
    }

    boolean wants(Message m, MessageView view) {
        if (notFrom != 0 && m.origin() == notFrom) {
            return false;
        }
        Selector s = selector;
        return s == null || s.matches(view.wrap(m.block()), 1);
    }
}
