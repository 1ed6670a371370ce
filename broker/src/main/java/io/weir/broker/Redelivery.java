package io.weir.broker;

import io.weir.broker.config.DeliveryFailureConfig;

/**
 * Messages that come back from a consumer that may have seen them: counted, delivered again at their place, later, or, over
 * the limit, not again. Confined to the queue's loop.
 */
final class Redelivery {
    private final MessageQueue queue;

    Redelivery(MessageQueue queue) {
        this.queue = queue;
    }

    /** Takes an entry back; {@link MessageQueue#dispatch()} follows. */
    void takeBack(Entry e, long sessionDelayMillis) {
        Destination d = queue.destination;
        DeliveryFailureConfig policy = d.config().deliveryFailure();
        e.deliveries++;
        d.counts.redelivered.inc();
        if (policy.redeliveryLimit() >= 0 && e.deliveries > policy.redeliveryLimit()) {
            giveUp(e, policy);
            return;
        }
        long delay = policy.redeliveryDelay() >= 0 ? policy.redeliveryDelay() : sessionDelayMillis;
        if (delay > 0) {
            e.consumer = null;
            queue.delayed().add(e, queue.loop.clock().millis() + delay);
            e.message.settleDown(queue.loop.buffers());
        } else {
            queue.reinsert(e);
        }
    }

    private void giveUp(Entry e, DeliveryFailureConfig policy) {
        Destination d = queue.destination;
        String target = policy.errorDestination();
        d.engine
                .log()
                .log(
                        BrokerMessages.REDELIVERY_LIMIT,
                        e.message.id(),
                        d.name,
                        e.deliveries,
                        target.isEmpty() ? "nowhere: it is discarded" : target);
        if (d.engine.redirection().redirect(e)) {
            d.counts.redirected.inc();
        } else {
            d.counts.discarded.inc();
            queue.drop(e);
        }
    }
}
