package io.weir.broker;

/**
 * Names consumers in the log that take nothing for a while although messages wait for them: others go on, the slow one is
 * where to look. Each is named once, and again only when it had caught up in between. Stateless; called on the queue's
 * loop.
 */
final class SlowConsumers {
    private SlowConsumers() {}

    static void look(MessageQueue q, long now) {
        for (int i = 0; i < q.consumers().size(); i++) {
            q.consumers().get(i).looked(now);
        }
        if (q.available().isEmpty()) {
            caughtUp(q);
            return;
        }
        if (q.destination.isPaused(Destination.Stage.CONSUMPTION)) {
            return;
        }
        Engine engine = q.destination.engine;
        long limit = engine.config().limits().slowConsumerTime().toNanos();
        for (int i = 0; i < q.consumers().size(); i++) {
            Consumer c = q.consumers().get(i);
            if (!c.namedSlow && c.mode() == Consumer.Mode.PUSHED && !c.isOpen() && now - c.lastProgress >= limit) {
                c.namedSlow = true;
                engine.meters().slowConsumers.inc();
                engine.log().log(
                        BrokerMessages.SLOW_CONSUMER,
                        c.id + " (" + c.session.who() + ")",
                        q.destination.name,
                        engine.config().limits().slowConsumerTime(),
                        q.available().count());
            }
        }
    }

    /** Nothing waits: who is slow from now on is so anew. */
    private static void caughtUp(MessageQueue q) {
        for (int i = 0; i < q.consumers().size(); i++) {
            Consumer c = q.consumers().get(i);
            if (c.namedSlow && c.isOpen()) {
                c.namedSlow = false;
            }
        }
    }
}
