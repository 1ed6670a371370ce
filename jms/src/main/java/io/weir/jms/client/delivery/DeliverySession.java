package io.weir.jms.client.delivery;

import io.weir.base.Clock;
import io.weir.jms.client.settings.AckMode;
import io.weir.jms.client.settings.ClientKnobs;
import io.weir.jms.frames.BrokerFrames.OneWayFailed;
import io.weir.jms.message.ObjectRules;
import jakarta.jms.JMSException;
import org.jspecify.annotations.Nullable;

/** The session as needed by an {@link Attachment} and its deliveries. */
public interface DeliverySession extends SessionKind {
    AckMode mode();

    ClientKnobs knobs();

    ObjectRules objectRules();

    Clock clock();

    void checkOpen() throws JMSException;

    /** The consumer of this number, or null. */
    @Nullable
    DeliveryTarget consumer(int number);

    /** A delivery for a consumer with a listener arrived. On the link's loop. */
    void pushed(Delivery d);

    /** The socket read that contained deliveries is complete. On the link's loop. */
    void arrived();

    /** One-way sends of one of its producers were refused. */
    void oneWayFailed(OneWayFailed failed);

    /** Acknowledges messages of one of its attachments, up to a tag. */
    void acknowledge(Attachment a, long to) throws JMSException;

    /** The confirmation that the next message waits for has arrived, or can be requested now. */
    void confirmed();

    /** Wakes the thread that waits for messages of this session, if one does. */
    void wakeReceiver();

    /** Reports a failure that cannot be thrown to a caller. */
    void quiet(String what, Throwable cause);
}
