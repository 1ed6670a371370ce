package io.weir.jms.client.delivery;

import io.weir.jms.message.WeirDestination;
import jakarta.jms.JMSException;
import jakarta.jms.MessageListener;
import org.jspecify.annotations.Nullable;

/** The consumer that a {@link Delivery} is for. */
public interface DeliveryTarget {
    WeirDestination destination();

    /** Whether the broker pushes to it, within the session's window. */
    boolean isPushed();

    /** Whether the broker keeps persistent messages for it across a crash of the broker. */
    boolean isDurable();

    boolean isClosed();

    @Nullable
    MessageListener listener();

    /** Keeps a delivery for the next receive. */
    void keep(Delivery d);

    /** Its listener begins. */
    void enter();

    /** Its listener returned. */
    void leave();

    /** Its listener threw; returns how often so far. By the session's dispatch. */
    long threw();

    /** The server closed it, because the destination was deleted or by an administrator. */
    void closedByServer(JMSException why);
}
