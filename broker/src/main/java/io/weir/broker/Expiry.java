package io.weir.broker;

import io.weir.broker.config.DeliveryFailureConfig;
import io.weir.broker.config.ExpirationPolicy;
import java.util.List;

/**
 * A queue's messages whose time is over: found when they would be delivered and by a scan now and then, and discarded,
 * logged or redirected by the destination's policy. Confined to the queue's loop.
 */
final class Expiry {
    private final MessageQueue queue;
    /** Whether a message with an expiration time ever came: without one nothing is scanned. */
    private boolean needed;

    Expiry(MessageQueue queue) {
        this.queue = queue;
    }

    void watch(Entry e) {
        needed |= e.message.expiration() != 0;
    }

    boolean isOver(Entry e) {
        return e.message.expiration() != 0
                && e.message.expired(queue.loop.clock().millis());
    }

    /** Removes an expired entry that was taken out of its list. */
    void expire(Entry e) {
        Destination d = queue.destination;
        DeliveryFailureConfig policy = d.config().deliveryFailure();
        d.counts.expired.inc();
        if (policy.expirationPolicy() == ExpirationPolicy.LOG) {
            d.engine.log().log(BrokerMessages.EXPIRED, e.message.id(), d.name, MessageText.header(e.message));
        }
        if (policy.expirationPolicy() != ExpirationPolicy.REDIRECT
                || !d.engine.redirection().redirect(e)) {
            queue.drop(e);
        }
    }

    /** Looks through all that waits. */
    void scan() {
        if (!needed) {
            return;
        }
        List<Entry> waiting = queue.waiting();
        boolean left = false;
        for (Entry e : waiting) {
            if (e.message.expiration() != 0) {
                left = true;
                if (isOver(e)) {
                    if (e.state == Entry.State.AVAILABLE) {
                        queue.take(e);
                    } else {
                        queue.delayed().remove(e);
                    }
                    expire(e);
                }
            }
        }
        needed = left;
    }
}
