package io.weir.jms.client.delivery;

import io.weir.jms.message.WeirMessage;
import jakarta.jms.DeliveryMode;
import org.jspecify.annotations.Nullable;

/**
 * A message as it arrived, and where it belongs. Made by the loop; handed over through an {@link Inbox} to the thread that
 * consumes it.
 */
public final class Delivery {
    /** Where it came, and the only place where it can be acknowledged. */
    public final Attachment attachment;

    /** The consumer that it is for. */
    public final DeliveryTarget consumer;
    /** Its number among what came by the attachment. */
    public final long tag;
    /** What its producer called it, in a client-acknowledged session. */
    final ConsumedIds.Id id;
    /** Pushed under the session's window, which passing it to the listener opens again. */
    final boolean pushed;
    /** The deliveries between two recoveries have one number; those of an older one are void. */
    final int generation;
    /** Length of the message block, which the window counts. */
    final int bytes;

    /** It may have been delivered before. */
    final boolean redelivered;

    /** What the application gets. */
    public final WeirMessage message;

    volatile @Nullable Delivery next;

    /** A message as it came; see the fields. */
    public Delivery(
            Attachment attachment,
            DeliveryTarget consumer,
            long tag,
            ConsumedIds.Id id,
            boolean pushed,
            int generation,
            int bytes,
            WeirMessage message) {
        this.attachment = attachment;
        this.consumer = consumer;
        this.tag = tag;
        this.id = id;
        this.pushed = pushed;
        this.generation = generation;
        this.bytes = bytes;
        this.redelivered = message.getJMSRedelivered();
        this.message = message;
    }

    /** Whether it outlives the broker's death while it is not acknowledged. */
    boolean lasting() {
        return message.getJMSDeliveryMode() == DeliveryMode.PERSISTENT && consumer.isDurable();
    }

    /** Whether it must not be passed on any more. */
    public boolean isVoid() {
        return attachment.isVoid(this);
    }
}
