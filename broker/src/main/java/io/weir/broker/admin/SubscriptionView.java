package io.weir.broker.admin;

import io.weir.broker.destination.Subscription;
import io.weir.broker.destination.SubscriptionKey;
import io.weir.broker.subscription.Subscriptions;
import org.jspecify.annotations.Nullable;

/**
 * A durable or shared subscription at one moment. Immutable.
 *
 * @param key client identifier and name, as {@link SubscriptionKey} writes them
 * @param messages all that it holds, including those at consumers
 * @param received since the start, without those recovered from the journal
 */
public record SubscriptionView(
        String key,
        String topic,
        @Nullable String selector,
        boolean durable,
        boolean shared,
        int consumers,
        long available,
        long messages,
        long high,
        long received,
        long recovered) {
    static SubscriptionView of(Subscriptions.Named n) {
        Subscription s = n.subscription();
        return new SubscriptionView(
                s.queue.name(),
                s.topic.name.toString(),
                s.selector == null ? null : s.selector.toString(),
                s.durable,
                n.terms().shared(),
                n.consumers(),
                s.queue.available().count(),
                s.queue.entries().current(),
                s.queue.entries().high(),
                s.queue.entries().total(),
                s.queue.entries().recovered());
    }
}
