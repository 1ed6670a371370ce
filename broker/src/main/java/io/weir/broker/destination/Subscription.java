package io.weir.broker.destination;

import io.weir.broker.queue.Message;
import io.weir.broker.queue.MessageQueue;
import io.weir.broker.store.QueueKey;
import io.weir.broker.store.StoredSubscription;
import io.weir.jms.frames.MessageView;
import io.weir.jms.selector.Selector;
import org.jspecify.annotations.Nullable;

/**
 * A subscription to a topic: its filter, and the queue that holds matching messages for its consumers. Confined to the
 * topic's loop; a durable one lives until it is unsubscribed, others as long as their last consumer.
 */
public final class Subscription {
    private final @Nullable SubscriptionKey key;
    private final long entry;
    private final boolean ambiguous;
    public final TopicDestination topic;
    public final @Nullable Selector selector;
    public final boolean durable;
    /** Messages of this connection are excluded (noLocal); 0 excludes none. */
    private volatile long notFrom;

    public final MessageQueue queue;

    private Subscription(
            @Nullable SubscriptionKey key,
            long entry,
            boolean ambiguous,
            TopicDestination topic,
            @Nullable Selector selector,
            MessageQueue queue) {
        this.key = key;
        this.entry = entry;
        this.ambiguous = ambiguous;
        this.topic = topic;
        this.selector = selector;
        this.durable = queue.durable;
        this.queue = queue;
    }

    /** Creates an unnamed subscription, used by one consumer. */
    public static Subscription unnamed(TopicDestination topic, @Nullable Selector selector) {
        MessageQueue queue = new MessageQueue(topic.context, topic.name.name(), QueueKey.of(topic.name), false);
        return new Subscription(null, 0, false, topic, selector, queue);
    }

    /**
     * Creates a named subscription.
     *
     * @param entry its entry in the store, 0 if it is not stored
     */
    public static Subscription named(
            SubscriptionKey key, TopicDestination topic, @Nullable Selector selector, long entry) {
        MessageQueue queue =
                new MessageQueue(topic.context, key.toString(), QueueKey.of(topic.name, entry), key.durable());
        return new Subscription(key, entry, false, topic, selector, queue);
    }

    /** Creates a subscription that was recovered from the store. */
    public static Subscription recovered(
            long entry, StoredSubscription s, TopicDestination topic, @Nullable Selector selector) {
        SubscriptionKey key = new SubscriptionKey(s.clientId(), s.name(), true);
        String text = s.ambiguous() ? s.name() : key.toString();
        MessageQueue queue = new MessageQueue(topic.context, text, new QueueKey(topic.name, s.queue()), true);
        return new Subscription(key, entry, s.ambiguous(), topic, selector, queue);
    }

    /** Returns the same subscription under a client's key. */
    public Subscription as(SubscriptionKey owned, long newEntry) {
        queue.name(owned.toString());
        Subscription s = new Subscription(owned, newEntry, false, topic, selector, queue);
        s.notFrom = notFrom;
        return s;
    }

    /**
     * A negative number that represents all connections with a client identifier; the numbers of connections are
     * positive.
     */
    public static long origin(String clientId) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < clientId.length(); i++) {
            hash = (hash ^ clientId.charAt(i)) * 0x100000001b3L;
        }
        return hash | Long.MIN_VALUE;
    }

    /** The key it is found by; null if it is unnamed. */
    @Nullable
    public SubscriptionKey key() {
        return key;
    }

    /** Its entry in the store, 0 for none. */
    public long entry() {
        return entry;
    }

    /** Whether its key joins client identifier and name so that the boundary between them is unknown. */
    public boolean ambiguous() {
        return ambiguous;
    }

    public void notFrom(long connection) {
        notFrom = connection;
    }

    /** @param attempt the JMSXDeliveryCount of its next delivery */
    boolean wants(Message m, MessageView view, int attempt) {
        if (notFrom != 0 && m.origin() == notFrom) {
            return false;
        }
        Selector s = selector;
        return s == null || s.matches(view.wrap(m.block()), attempt);
    }
}
