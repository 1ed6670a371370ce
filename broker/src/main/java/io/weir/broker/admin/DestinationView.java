package io.weir.broker.admin;

import io.weir.broker.destination.Destination;
import io.weir.broker.report.DestinationCounts;

/**
 * A destination's statistics at one moment. Immutable.
 *
 * @param name {@code queue/name} or {@code topic/name}
 * @param messagesCurrent available ones, without pending ones
 * @param messagesPending at consumers, delayed or uncommitted
 * @param messagesHigh high-water mark since the start
 * @param messagesReceived came here since the start
 * @param messagesRecovered found in the journal at the start
 * @param quotaWaits sends that had to wait for room
 */
public record DestinationView(
        String name,
        long messagesCurrent,
        long messagesPending,
        long messagesHigh,
        long messagesReceived,
        long messagesRecovered,
        long bytesCurrent,
        long bytesPending,
        long bytesHigh,
        long bytesReceived,
        long bytesRecovered,
        int consumers,
        int producers,
        long quotaWaits,
        long delivered,
        long acknowledged,
        long redelivered,
        long expired,
        long failed,
        long overrun,
        boolean productionPaused,
        boolean insertionPaused,
        boolean consumptionPaused,
        String quota) {
    public static DestinationView of(Destination d) {
        DestinationCounts c = d.counts;
        long available =
                d.queues().stream().mapToLong(q -> q.available().count()).sum();
        long availableBytes =
                d.queues().stream().mapToLong(q -> q.available().bytes()).sum();
        return new DestinationView(
                d.name.toString(),
                available,
                DestinationCounts.pending(c.messages, c.uncommittedMessages, available),
                c.messages.high(),
                c.messages.total(),
                c.messages.recovered(),
                availableBytes,
                DestinationCounts.pending(c.bytes, c.uncommittedBytes, availableBytes),
                c.bytes.high(),
                c.bytes.total(),
                c.bytes.recovered(),
                c.consumers.get(),
                c.producers.get(),
                c.quotaWaits.get(),
                c.delivered.value(),
                c.acknowledged.value(),
                c.redelivered.value(),
                c.expired.value(),
                c.discarded.value() + c.redirected.value(),
                c.overrun.value(),
                d.isPaused(Destination.Stage.PRODUCTION),
                d.isPaused(Destination.Stage.INSERTION),
                d.isPaused(Destination.Stage.CONSUMPTION),
                d.quota().name());
    }
}
