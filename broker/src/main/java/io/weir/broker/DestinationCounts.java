package io.weir.broker;

import io.weir.base.Counter;
import io.weir.base.StatSpec;
import io.weir.base.Stats;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * What is counted at a destination. The tallies are written by its loop; counters and the numbers of users by any. Shared;
 * temporary destinations share the counters of one label.
 */
final class DestinationCounts {
    /** The label of all temporary destinations. */
    static final String TEMPORARY = "temporary";

    private static final String DISCARDED = "discarded";
    private static final String REDIRECTED = "redirected";

    final Tally messages = new Tally();
    final Tally bytes = new Tally();
    /** Messages of open transactions. */
    final AtomicLong uncommittedMessages = new AtomicLong();

    final AtomicLong uncommittedBytes = new AtomicLong();
    final AtomicInteger consumers = new AtomicInteger();
    final AtomicInteger producers = new AtomicInteger();
    final AtomicLong quotaWaits = new AtomicLong();
    final OwnCount delivered;
    final OwnCount acknowledged;
    final Counter redelivered;
    final Counter expired;
    final Counter discarded;
    final Counter redirected;
    final OwnCount overrun;
    private final Stats stats;
    private final String label;

    DestinationCounts(Stats stats, String label) {
        this.stats = stats;
        this.label = label;
        this.delivered = new OwnCount(stats, BrokerStats.DELIVERED, label);
        this.acknowledged = new OwnCount(stats, BrokerStats.ACKNOWLEDGED, label);
        this.redelivered = stats.counter(BrokerStats.REDELIVERED, label);
        this.expired = stats.counter(BrokerStats.EXPIRED, label);
        this.discarded = stats.counter(BrokerStats.FAILED, label, DISCARDED);
        this.redirected = stats.counter(BrokerStats.FAILED, label, REDIRECTED);
        this.overrun = new OwnCount(stats, BrokerStats.OVERRUN, label);
    }

    /** Shows what is read from here; temporary destinations are shown as a sum. */
    void publish(LongSupplier available, LongSupplier availableBytes) {
        if (label.equals(TEMPORARY)) {
            return;
        }
        stats.gauge(BrokerStats.MESSAGES_CURRENT, available, label);
        stats.gauge(BrokerStats.BYTES_CURRENT, availableBytes, label);
        stats.gauge(
                BrokerStats.MESSAGES_PENDING,
                () -> pending(messages, uncommittedMessages, available.getAsLong()),
                label);
        stats.gauge(
                BrokerStats.BYTES_PENDING, () -> pending(bytes, uncommittedBytes, availableBytes.getAsLong()), label);
        stats.gauge(BrokerStats.MESSAGES_HIGH, messages::high, label);
        stats.gauge(BrokerStats.BYTES_HIGH, bytes::high, label);
        stats.counter(BrokerStats.MESSAGES_RECEIVED, messages::total, label);
        stats.counter(BrokerStats.BYTES_RECEIVED, bytes::total, label);
        stats.gauge(BrokerStats.CONSUMERS, consumers::get, label);
        stats.gauge(BrokerStats.PRODUCERS, producers::get, label);
    }

    /** Shows the sum over all temporary destinations, by the loops' latest counts. */
    static void publishTemporaries(Stats stats, List<Census> censuses) {
        gauge(stats, BrokerStats.MESSAGES_CURRENT, censuses, LoopFigures.Temporaries::messagesCurrent);
        gauge(stats, BrokerStats.BYTES_CURRENT, censuses, LoopFigures.Temporaries::bytesCurrent);
        gauge(stats, BrokerStats.MESSAGES_PENDING, censuses, LoopFigures.Temporaries::messagesPending);
        gauge(stats, BrokerStats.BYTES_PENDING, censuses, LoopFigures.Temporaries::bytesPending);
        gauge(stats, BrokerStats.CONSUMERS, censuses, LoopFigures.Temporaries::consumers);
        gauge(stats, BrokerStats.PRODUCERS, censuses, LoopFigures.Temporaries::producers);
        gauge(stats, BrokerStats.TEMPORARIES, censuses, LoopFigures.Temporaries::count);
        stats.counter(
                BrokerStats.MESSAGES_RECEIVED, sum(censuses, LoopFigures.Temporaries::messagesReceived), TEMPORARY);
        stats.counter(BrokerStats.BYTES_RECEIVED, sum(censuses, LoopFigures.Temporaries::bytesReceived), TEMPORARY);
    }

    private static void gauge(
            Stats stats, StatSpec spec, List<Census> censuses, ToLongFunction<LoopFigures.Temporaries> figure) {
        if (spec.labels().isEmpty()) {
            stats.gauge(spec, sum(censuses, figure));
        } else {
            stats.gauge(spec, sum(censuses, figure), TEMPORARY);
        }
    }

    private static LongSupplier sum(List<Census> censuses, ToLongFunction<LoopFigures.Temporaries> figure) {
        return () ->
                censuses.stream().map(Census::temporaries).mapToLong(figure).sum();
    }

    static long pending(Tally stored, AtomicLong uncommitted, long available) {
        return Math.max(0, stored.current() - available) + uncommitted.get();
    }

    /** The destination is deleted. */
    void withdraw() {
        if (label.equals(TEMPORARY)) {
            return;
        }
        for (StatSpec s : BrokerStats.ALL) {
            if (s.labels().equals(List.of("destination"))) {
                stats.remove(s, label);
            }
        }
        stats.remove(BrokerStats.FAILED, label, DISCARDED);
        stats.remove(BrokerStats.FAILED, label, REDIRECTED);
    }
}
