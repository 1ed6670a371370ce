package io.weir.jms.client.link;

import io.netty.buffer.ByteBuf;
import io.weir.jms.frames.BrokerFrames.OneWayFailed;
import io.weir.jms.frames.DeliverFrame;
import io.weir.jms.frames.RefusalCode;

/** A session on a {@link Link}: receives the frames of its stream. Called on the link's loop. */
public interface StreamListener {
    /** A message for one of the consumers arrived; returns false if the session has no consumer with that number. */
    boolean delivered(DeliverFrame head, ByteBuf block);

    /** The socket read that contained deliveries is complete. */
    void arrived();

    /** The broker closed a consumer of the session. */
    void consumerClosed(int consumer, RefusalCode code, String text);

    /** One-way sends of a producer of the session were refused. */
    void oneWayFailed(OneWayFailed failed);
}
