package io.weir.broker.store;

import io.netty.buffer.ByteBuf;
import io.weir.jms.frames.DestinationName;
import io.weir.wire.WireReader;
import io.weir.wire.WireWriter;

/**
 * Where a copy of a message waits. Immutable.
 *
 * @param subscription the durable subscription's key, empty for a queue
 */
public record QueueKey(DestinationName destination, String subscription) {
    /** A queue. */
    public static QueueKey of(DestinationName queue) {
        return new QueueKey(queue, "");
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
