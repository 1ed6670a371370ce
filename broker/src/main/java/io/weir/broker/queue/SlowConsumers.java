package io.weir.broker.queue;

import io.weir.broker.config.BrokerLimitsConfig;
import io.weir.broker.report.BrokerMessages;

/**
 * Logs consumers that take nothing for a while although messages wait for them. Other consumers are not affected; the
 * log identifies the slow one. Each is logged once, and again only if it had caught up in between. Stateless; called on
 * the queue's loop.
 */
public final class SlowConsumers {
    private SlowConsumers() {}

    public static void look(MessageQueue q, long now) {
        for (int i = 0; i < q.consumers().size(); i++) {
            q.consumers().get(i).looked(now);
        }
        if (q.available().isEmpty()) {
            caughtUp(q);
            return;
        }
        if (q.context.consumptionPaused()) {
            return;
        }
        QueueServices services = q.context.services;
        BrokerLimitsConfig limits = services.config().get().limits();
        long limit = limits.slowConsumerTime().toNanos();
        for (int i = 0; i < q.consumers().size(); i++) {
            QueueConsumer c = q.consumers().get(i);
            if (!c.namedSlow && c.mode() == QueueConsumer.Mode.PUSHED && !c.isOpen() && now - c.lastProgress >= limit) {
                c.namedSlow = true;
                services.meters().slowConsumers.inc();
                services.log().log(
                        BrokerMessages.SLOW_CONSUMER,
                        c.id + " (" + c.session.who() + ")",
                        q.context.name,
                        limits.slowConsumerTime(),
                        q.available().count());
            }
        }
    }

    /** Nothing waits: a consumer that becomes slow again is logged again. */
    private static void caughtUp(MessageQueue q) {
        for (int i = 0; i < q.consumers().size(); i++) {
            QueueConsumer c = q.consumers().get(i);
            if (c.namedSlow && c.isOpen()) {
                c.namedSlow = false;
            }
        }
    }
}
