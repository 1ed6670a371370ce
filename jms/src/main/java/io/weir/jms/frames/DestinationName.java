package io.weir.jms.frames;

import io.netty.buffer.ByteBuf;
import io.weir.wire.WireReader;
import io.weir.wire.WireWriter;

/** A destination on the wire: its kind and name, u8 kind and text. Immutable. */
public record DestinationName(DestinationKind kind, String name) {
    public void write(ByteBuf out) {
        out.writeByte(kind.code());
        WireWriter.text(out, name);
    }

    public static DestinationName read(ByteBuf in) {
        DestinationKind kind = DestinationKind.of(WireReader.u8(in));
        return new DestinationName(kind, WireReader.text(in));
    }

    /** "queue/orders", "temporary-topic/…": the form used in logs, errors and on the command line. */
    @Override
    public String toString() {
        return switch (kind) {
                    case QUEUE -> "queue/";
                    case TOPIC -> "topic/";
                    case TEMPORARY_QUEUE -> "temporary-queue/";
                    case TEMPORARY_TOPIC -> "temporary-topic/";
                }
                + name;
    }
}
