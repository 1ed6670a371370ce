package io.weir.jms.client.delivery;

import io.weir.base.Clock;
import io.weir.jms.client.settings.AckMode;
import io.weir.jms.client.settings.ClientKnobs;
import io.weir.jms.frames.BrokerFrames.OneWayFailed;
import io.weir.jms.message.ObjectRules;
import jakarta.jms.JMSException;
import org.jspecify.annotations.Nullable;

/** What an {@link Attachment} and its deliveries need of their session. */
public interface DeliverySession {
    AckMode mode();

    ClientKnobs knobs();

    ObjectRules objectRules();

    Clock clock();

    void checkOpen() throws JMSException;

    /** The consumer of this number, or null. */
    @Nullable
    DeliveryTarget consumer(int number);

    /** A delivery came for a consumer with a listener. On the link's loop. */
    void pushed(Delivery d);

    /** The read that brought deliveries is over. On the link's loop. */
    void arrived();

    /** One-way sends of one of its producers were refused. */
    void oneWayFailed(OneWayFailed failed);

    /** Acknowledges what came by one of its attachments, up to a tag. */
    void acknowledge(Attachment a, long to) throws JMSException;

    /** The broker's word came that the next message waits for, or may be asked for now. */
    void confirmed();

    /** Wakes the thread that waits for messages of this session, if one does. */
    void wakeReceiver();

    /** Reports a failure that cannot be thrown to a caller. */
    void quiet(String what, Throwable cause);
}
