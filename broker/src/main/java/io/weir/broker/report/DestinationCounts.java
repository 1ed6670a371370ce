package io.weir.broker.report;

import io.weir.base.Counter;
import io.weir.base.StatSpec;
import io.weir.base.Stats;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * What is counted at a destination. Its fields are written by its loop; counters and the numbers of users by any. Shared;
 * temporary destinations share the counters of one label.
 */
public final class DestinationCounts {
    /** The label of all temporary destinations. */
    public static final String TEMPORARY = "temporary";

    private static final String DISCARDED = "discarded";
    private static final String REDIRECTED = "redirected";

    public final HighWaterGauge messages = new HighWaterGauge();
    public final HighWaterGauge bytes = new HighWaterGauge();
    /** Messages of open transactions. */
    public final AtomicLong uncommittedMessages = new AtomicLong();

    public final AtomicLong uncommittedBytes = new AtomicLong();
    public final AtomicInteger consumers = new AtomicInteger();
    public final AtomicInteger producers = new AtomicInteger();
    public final AtomicLong quotaWaits = new AtomicLong();
    public final SingleWriterCounter delivered;
    public final SingleWriterCounter acknowledged;
    public final Counter redelivered;
    public final Counter expired;
    public final Counter discarded;
    public final Counter redirected;
    public final SingleWriterCounter overrun;
    private final Stats stats;
    private final String label;

    public DestinationCounts(Stats stats, String label) {
        this.stats = stats;
        this.label = label;
        this.delivered = new SingleWriterCounter(stats, BrokerStats.DELIVERED, label);
        this.acknowledged = new SingleWriterCounter(stats, BrokerStats.ACKNOWLEDGED, label);
        this.redelivered = stats.counter(BrokerStats.REDELIVERED, label);
        this.expired = stats.counter(BrokerStats.EXPIRED, label);
        this.discarded = stats.counter(BrokerStats.FAILED, label, DISCARDED);
        this.redirected = stats.counter(BrokerStats.FAILED, label, REDIRECTED);
        this.overrun = new SingleWriterCounter(stats, BrokerStats.OVERRUN, label);
    }

    /** Shows what is read from here; temporary destinations are shown as a sum. */
    public void publish(LongSupplier available, LongSupplier availableBytes) {
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
        stats.gauge(BrokerStats.MESSAGES_RECOVERED, messages::recovered, label);
        stats.gauge(BrokerStats.BYTES_RECOVERED, bytes::recovered, label);
        stats.gauge(BrokerStats.CONSUMERS, consumers::get, label);
        stats.gauge(BrokerStats.PRODUCERS, producers::get, label);
    }

    public static long pending(HighWaterGauge stored, AtomicLong uncommitted, long available) {
        return Math.max(0, stored.current() - available) + uncommitted.get();
    }

    /** A message arrived. By the loop. */
    public void arrived(long size) {
        arriving(size);
        received(size);
    }

    /** A message is there, and its sender may still be told that it is not stored. By the loop. */
    public void arriving(long size) {
        messages.raise(1);
        bytes.raise(size);
    }

    /** A message that was arriving is the destination's. By the loop. */
    public void received(long size) {
        messages.count(1);
        bytes.count(size);
    }

    /** A message of an earlier run was found in the journal. By the loop. */
    public void recovered(long size) {
        messages.restore(1);
        bytes.restore(size);
    }

    /** A message's last reference is gone. By the loop. */
    public void left(long size) {
        messages.subtract(1);
        bytes.subtract(size);
    }

    /** The destination is deleted. */
    public void withdraw() {
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
