package io.weir.broker.admin;

import io.weir.broker.destination.Destination;
import io.weir.broker.loop.BrokerLoop;
import io.weir.broker.queue.MessageQueue;
import io.weir.broker.report.DestinationCounts;
import io.weir.broker.session.BrokerConnection;
import io.weir.broker.session.BrokerEngine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Counts what a loop owns once a second, so that monitoring never queries the loop and does not slow messages. Confined
 * to the loop but for the latest count, which any thread reads. Lives as long as the broker.
 */
public final class LoopSampler {
    private static final long INTERVAL = 900_000_000L;

    private final BrokerEngine engine;
    private final BrokerLoop loop;
    private long goneMessages;
    private long goneBytes;
    private volatile long countedAt;
    private volatile LoopFigures latest;

    LoopSampler(BrokerEngine engine, BrokerLoop loop) {
        this.engine = engine;
        this.loop = loop;
        this.latest = LoopFigures.none(loop.index());
        this.countedAt = engine.clock().nanos();
    }

    /** The latest count. From any thread. */
    LoopFigures latest() {
        long at = countedAt;
        return latest.aged(engine.clock().nanos() - at);
    }

    LoopFigures.Temporaries temporaries() {
        return latest.temporaries();
    }

    /** A temporary destination was deleted; messages sent to it stay counted. */
    void gone(Destination d) {
        goneMessages += d.counts.messages.total();
        goneBytes += d.counts.bytes.total();
    }

    /** Counts again if the latest count is a second old. */
    public void round(long now) {
        if (now - countedAt >= INTERVAL) {
            take();
        }
    }

    public void take() {
        Sum temporaries = new Sum();
        List<DestinationView> destinations = new ArrayList<>();
        for (Destination d : engine.destinations().all()) {
            if (!d.loop.equals(loop)) {
                continue;
            }
            if (d.owner == 0) {
                destinations.add(DestinationView.of(d));
            } else {
                temporaries.add(d);
            }
        }
        destinations.sort(Comparator.comparing(DestinationView::name));
        latest = clients(List.copyOf(destinations), temporaries.sum());
        countedAt = loop.clock().nanos();
    }

    private LoopFigures clients(List<DestinationView> destinations, LoopFigures.Temporaries temporaries) {
        List<BrokerConnection> some = new ArrayList<>();
        int connectionCount = 0;
        int sessionCount = 0;
        for (BrokerConnection c : engine.connections()) {
            if (c.loop.equals(loop)) {
                connectionCount++;
                sessionCount += c.sessionCount();
                if (some.size() < LoopFigures.MAX_ROWS) {
                    some.add(c);
                }
            }
        }
        some.sort(Comparator.comparingLong(c -> c.wire.id()));
        List<SessionView> sessions = new ArrayList<>();
        for (BrokerConnection c : some) {
            if (sessions.size() < LoopFigures.MAX_ROWS) {
                sessions.addAll(SessionView.of(c));
            }
        }
        return new LoopFigures(
                loop.index(),
                0,
                destinations,
                temporaries,
                some.stream().map(ConnectionView::of).toList(),
                connectionCount,
                sessions.stream().limit(LoopFigures.MAX_ROWS).toList(),
                sessionCount);
    }

    /** The sum over temporary destinations. */
    private final class Sum {
        private int count;
        private long messages;
        private long pending;
        private long received = goneMessages;
        private long bytes;
        private long pendingBytes;
        private long receivedBytes = goneBytes;
        private int consumers;
        private int producers;

        void add(Destination d) {
            DestinationCounts c = d.counts;
            long available = 0;
            long availableBytes = 0;
            for (MessageQueue q : d.queues()) {
                available += q.available().count();
                availableBytes += q.available().bytes();
            }
            count++;
            messages += available;
            pending += DestinationCounts.pending(c.messages, c.uncommittedMessages, available);
            received += c.messages.total();
            bytes += availableBytes;
            pendingBytes += DestinationCounts.pending(c.bytes, c.uncommittedBytes, availableBytes);
            receivedBytes += c.bytes.total();
            consumers += c.consumers.get();
            producers += c.producers.get();
        }

        LoopFigures.Temporaries sum() {
            // a destination that has left the registry but whose deletion has not reached its loop yet is in neither
            // sum: never decrease
            LoopFigures.Temporaries before = latest.temporaries();
            return new LoopFigures.Temporaries(
                    count,
                    messages,
                    pending,
                    Math.max(before.messagesReceived(), received),
                    bytes,
                    pendingBytes,
                    Math.max(before.bytesReceived(), receivedBytes),
                    consumers,
                    producers);
        }
    }
}
