package io.weir.broker;

import io.weir.broker.config.DeliveryFailureConfig;
import java.util.List;

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
        e.deliveries++;
        queue.destination.counts.redelivered.inc();
        if (isOver(e)) {
            giveUp(e);
            return;
        }
        DeliveryFailureConfig policy = policy();
        long delay = policy.redeliveryDelay() >= 0 ? policy.redeliveryDelay() : sessionDelayMillis;
        if (delay > 0) {
            queue.rest(e, delay);
        } else {
            queue.reinsert(e);
        }
    }

    private DeliveryFailureConfig policy() {
        return queue.destination.config().deliveryFailure();
    }

    /** Whether it was delivered as often as it may be. */
    boolean isOver(Entry e) {
        int limit = policy().redeliveryLimit();
        return limit >= 0 && e.deliveries > limit;
    }

    /** Moves an entry in no list to the error destination, or discards it where there is none. */
    void giveUp(Entry e) {
        Destination d = queue.destination;
        Destination target = d.engine.redirection().target(d);
        String id = e.message.id();
        if (target == null) {
            log(id, e.deliveries, "nowhere: it is discarded");
            d.counts.discarded.inc();
            queue.drop(e);
            return;
        }
        d.engine.store().whenStored(e, () -> move(e, id, target));
    }

    private void move(Entry e, String id, Destination target) {
        Destination d = queue.destination;
        d.engine.redirection().move(queue, List.of(e), target, Redirection.Reason.REDELIVERY_LIMIT, (_, failure) -> {
            if (failure == null) {
                log(id, e.deliveries, target.name.toString());
                d.counts.redirected.inc();
            } else {
                queue.stayLater(e, Redirection.retryMillis(failure));
            }
        });
    }

    private void log(String id, int deliveries, String where) {
        Destination d = queue.destination;
        d.engine.log().log(BrokerMessages.REDELIVERY_LIMIT, id, d.name, deliveries, where);
    }
}
