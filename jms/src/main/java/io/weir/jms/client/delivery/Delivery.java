package io.weir.jms.client.delivery;

import io.weir.jms.message.WeirMessage;
import jakarta.jms.DeliveryMode;
import org.jspecify.annotations.Nullable;

/**
 * A message as it arrived, with its attachment and consumer. Created by the loop; passed through an {@link Inbox} to
 * the thread that consumes it.
 */
public final class Delivery {
    /** The attachment it arrived on, the only one on which it can be acknowledged. */
    public final Attachment attachment;

    /** The consumer that it is for. */
    public final DeliveryTarget consumer;
    /** Its number among the deliveries of the attachment. */
    public final long tag;
    /** The message's id, in a client-acknowledged session. */
    final ConsumedIds.Id id;
    /** Pushed within the session's window, to which passing it to the listener returns credit. */
    final boolean pushed;
    /** The number of recoveries before it; deliveries of an older generation are void. */
    final int generation;
    /** Length of the message block, which the window counts. */
    final int bytes;

    /** Whether it is acknowledged automatically; set when it is passed to the application. */
    public boolean automatic;

    /** Whether it may have been delivered before. */
    final boolean redelivered;

    /** The application's message. */
    public final WeirMessage message;

    volatile @Nullable Delivery next;

    /** Creates a delivery; see the fields. */
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

    /** Whether it survives a crash of the broker while it is not acknowledged. */
    boolean lasting() {
        return message.getJMSDeliveryMode() == DeliveryMode.PERSISTENT && consumer.isDurable();
    }

    /** Whether it must not be passed on any more. */
    public boolean isVoid() {
        return attachment.isVoid(this);
    }
}
