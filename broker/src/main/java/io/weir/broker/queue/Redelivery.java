package io.weir.broker.queue;

import io.weir.broker.config.DeliveryFailureConfig;
import io.weir.broker.report.BrokerMessages;
import java.util.List;

/**
 * Messages returned by a consumer that may have seen them: they are counted, and redelivered at their place at once or
 * after a delay, or, over the limit, not redelivered. Confined to the queue's loop.
 */
final class Redelivery {
    private final MessageQueue queue;

    Redelivery(MessageQueue queue) {
        this.queue = queue;
    }

    /** Takes an entry back; the caller calls {@link MessageQueue#dispatch()}. */
    void takeBack(QueueEntry e, long sessionDelayMillis) {
        e.deliveries++;
        queue.context.counts.redelivered.inc();
        if (isOver(e)) {
            limitReached(e);
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
        return queue.context.config().deliveryFailure();
    }

    /** Whether its deliveries exceed the limit. */
    boolean isOver(QueueEntry e) {
        int limit = policy().redeliveryLimit();
        return limit >= 0 && e.deliveries > limit;
    }

    /** Moves an entry in no list to the error destination, or discards it if there is none. */
    void limitReached(QueueEntry e) {
        QueueContext d = queue.context;
        ErrorDestination target = d.errorDestination();
        String id = e.message.id();
        if (target == null) {
            log(id, e.deliveries, "nowhere: it is discarded");
            d.counts.discarded.inc();
            queue.drop(e);
            return;
        }
        d.store().whenStored(e, () -> move(e, id, target));
    }

    private void move(QueueEntry e, String id, ErrorDestination target) {
        QueueContext d = queue.context;
        target.take(queue, List.of(e), MoveReason.REDELIVERY_LIMIT, (_, failure) -> {
            if (failure == null) {
                log(id, e.deliveries, target.address());
                d.counts.redirected.inc();
            } else {
                queue.stayLater(e, MoveRefusal.retryMillis(failure));
            }
        });
    }

    private void log(String id, int deliveries, String where) {
        QueueContext d = queue.context;
        d.services.log().log(BrokerMessages.REDELIVERY_LIMIT, id, d.name, deliveries, where);
    }
}
