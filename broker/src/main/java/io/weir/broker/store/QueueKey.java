package io.weir.broker.store;

import io.netty.buffer.ByteBuf;
import io.weir.jms.frames.DestinationName;
import io.weir.wire.Utf8;
import io.weir.wire.WireReader;
import io.weir.wire.WireWriter;

/**
 * The queue in which a copy of a message waits. Immutable.
 *
 * @param subscription identifies one incarnation of a durable subscription, which ends when it is deleted or gets
 * another selector, so that the next one gets none of its messages; empty for a queue
 */
public record QueueKey(DestinationName destination, String subscription) {
    /** Bytes of kind, lengths and dispatch flag. */
    private static final int MORE = 16;

    /** The key of a queue. */
    public static QueueKey of(DestinationName queue) {
        return new QueueKey(queue, "");
    }

    /** The key of the messages of a subscription whose entry in the journal has this id. */
    static String incarnation(long id) {
        // no dot: the names of the first format have one
        return "#" + id;
    }

    /** The key of a subscription's queue. */
    public static QueueKey of(DestinationName topic, long id) {
        return new QueueKey(topic, incarnation(id));
    }

    /** An upper bound of the bytes that this key takes in a message's record. */
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
