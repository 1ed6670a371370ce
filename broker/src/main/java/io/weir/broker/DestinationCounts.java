package io.weir.broker;

import io.weir.base.Counter;
import io.weir.base.Stats;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * What is counted at a destination. The tallies are written by its loop; counters and the numbers of users by any. Shared;
 * temporary destinations share the counters of one label.
 */
final class DestinationCounts {
    /** The label of all temporary destinations. */
    static final String TEMPORARY = "temporary";

    final Tally messages = new Tally();
    final Tally bytes = new Tally();
    /** Messages of open transactions. */
    final AtomicLong uncommittedMessages = new AtomicLong();

    final AtomicLong uncommittedBytes = new AtomicLong();
    final AtomicInteger consumers = new AtomicInteger();
    final AtomicInteger producers = new AtomicInteger();
    final AtomicLong quotaWaits = new AtomicLong();
    final Counter delivered;
    final Counter acknowledged;
    final Counter redelivered;
    final Counter expired;
    final Counter discarded;
    final Counter redirected;
    final Counter overrun;
    private final Stats stats;
    private final String label;

    DestinationCounts(Stats stats, String label) {
        this.stats = stats;
        this.label = label;
        this.delivered = stats.counter(BrokerStats.DELIVERED, label);
        this.acknowledged = stats.counter(BrokerStats.ACKNOWLEDGED, label);
        this.redelivered = stats.counter(BrokerStats.REDELIVERED, label);
        this.expired = stats.counter(BrokerStats.EXPIRED, label);
        this.discarded = stats.counter(BrokerStats.FAILED, label, "discarded");
        this.redirected = stats.counter(BrokerStats.FAILED, label, "redirected");
        this.overrun = stats.counter(BrokerStats.OVERRUN, label);
    }

    /** Shows the gauges; a temporary destination's are not shown. */
    void publish(LongSupplier available, LongSupplier availableBytes) {
        if (label.equals(TEMPORARY)) {
            return;
        }
        stats.gauge(BrokerStats.MESSAGES_CURRENT, available, label);
        stats.gauge(BrokerStats.BYTES_CURRENT, availableBytes, label);
        stats.gauge(BrokerStats.MESSAGES_PENDING, () -> pending(messages, uncommittedMessages, available), label);
        stats.gauge(BrokerStats.BYTES_PENDING, () -> pending(bytes, uncommittedBytes, availableBytes), label);
        stats.gauge(BrokerStats.MESSAGES_HIGH, messages::high, label);
        stats.gauge(BrokerStats.BYTES_HIGH, bytes::high, label);
        stats.gauge(BrokerStats.MESSAGES_RECEIVED, messages::total, label);
        stats.gauge(BrokerStats.BYTES_RECEIVED, bytes::total, label);
        stats.gauge(BrokerStats.CONSUMERS, consumers::get, label);
        stats.gauge(BrokerStats.PRODUCERS, producers::get, label);
    }

    static long pending(Tally stored, AtomicLong uncommitted, LongSupplier available) {
        return Math.max(0, stored.current() - available.getAsLong()) + uncommitted.get();
    }

    /** The destination is deleted. */
    void withdraw() {
        if (!label.equals(TEMPORARY)) {
            BrokerStats.ALL.stream()
                    .filter(s -> s.name().startsWith("weir_destination_")
                            && s.labels().size() == 1)
                    .forEach(s -> stats.remove(s, label));
        }
    }
}
