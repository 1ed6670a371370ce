package io.weir.broker;

import io.weir.broker.admin.LoopSampler;
import io.weir.broker.destination.Destination;
import io.weir.broker.loop.BrokerLoop;
import io.weir.broker.queue.MessageQueue;
import io.weir.broker.queue.SlowConsumers;
import io.weir.broker.report.BrokerMessages;
import io.weir.broker.session.BrokerEngine;

/**
 * A loop's periodic work for its destinations, once a second: scans for expired messages at the configured interval and
 * for delayed ones that became due by a change of the system clock; retries failed store operations; copies messages
 * that stay at consumers out of their read buffers, logs slow consumers, and deletes retired destinations that are
 * empty. Confined to its loop; lives as long as the
 * broker.
 */
final class LoopMaintenance {
    private static final long SECOND = 1_000_000_000L;

    private final BrokerEngine engine;
    private final LoopSampler sampler;
    private final BrokerLoop loop;
    private long lastScan;
    private volatile boolean stopped;

    LoopMaintenance(BrokerEngine engine, LoopSampler sampler, BrokerLoop loop) {
        this.engine = engine;
        this.sampler = sampler;
        this.loop = loop;
    }

    void start() {
        lastScan = loop.clock().nanos();
        sampler.take();
        schedule();
    }

    void stop() {
        stopped = true;
    }

    private void schedule() {
        long scan = engine.config().jmsServer().expirationScanInterval().toNanos();
        loop.after(Math.min(SECOND, scan), this::tick);
    }

    private void tick() {
        if (stopped) {
            return;
        }
        try {
            round();
        } catch (RuntimeException e) {
            engine.log().log(BrokerMessages.ENGINE_ERROR, "upkeep", e);
        }
        schedule();
    }

    /** One pass over all destinations of the loop. */
    void round() {
        long now = loop.clock().nanos();
        sampler.round(now);
        boolean scan = now - lastScan
                >= engine.config().jmsServer().expirationScanInterval().toNanos();
        if (scan) {
            lastScan = now;
        }
        for (Destination d : engine.destinations().all()) {
            if (d.loop.equals(loop)) {
                for (MessageQueue q : d.queues()) {
                    if (scan) {
                        q.expiry().scan();
                    }
                    q.lookForDue();
                    q.marking().retry();
                    q.delivered().settleDown(loop.buffers());
                    SlowConsumers.look(q, now);
                }
                engine.destinations().deleteRetired(d);
            }
        }
        loop.buffers().tidy(0);
        engine.store().retry();
    }
}
