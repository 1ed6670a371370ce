package io.weir.broker.store;

import io.netty.buffer.ByteBuf;
import io.weir.jms.frames.DestinationName;
import io.weir.wire.Utf8;
import io.weir.wire.WireReader;
import io.weir.wire.WireWriter;

/**
 * Where a copy of a message waits. Immutable.
 *
 * @param subscription names one incarnation of a durable subscription, which ends when it is deleted or gets another selector,
 *     so that nothing of it belongs to the next; empty for a queue
 */
public record QueueKey(DestinationName destination, String subscription) {
    /** Kind, lengths, the mark of a dispatch. */
    private static final int MORE = 16;

    /** A queue. */
    public static QueueKey of(DestinationName queue) {
        return new QueueKey(queue, "");
    }

    /** What the messages of a subscription are kept under whose entry in the journal has this id. */
    static String incarnation(long id) {
        // no dot: the names of the first format have one
        return "#" + id;
    }

    /** A subscription's queue. */
    public static QueueKey of(DestinationName topic, long id) {
        return new QueueKey(topic, incarnation(id));
    }

    /** Bytes of a message's record that say that it is for this queue, or a few more. */
    public int bytes() {
        return MORE + Utf8.size(destination.name()) + Utf8.size(subscription);
    }

    void write(ByteBuf out) {
        destination.write(out);
        WireWriter.text(out, subscription);
    }

    static QueueKey read(ByteBuf in) {
        DestinationName destination = DestinationName.read(in);
        return new QueueKey(destination, WireReader.text(in));
    }
}
