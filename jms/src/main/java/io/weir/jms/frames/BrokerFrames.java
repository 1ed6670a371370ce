package io.weir.jms.frames;

import io.netty.buffer.ByteBuf;
import io.weir.wire.WireReader;
import io.weir.wire.WireWriter;
import org.jspecify.annotations.Nullable;

/** The payloads of the broker's frames, but for {@link DeliverFrame}. Immutable. */
public final class BrokerFrames {
    private BrokerFrames() {}

    /**
     * OK: {@code u32 request}, and only if one of them is set {@code optional text value · i64 number}.
     *
     * @param value the name of a temporary destination for CREATE_TEMPORARY
     */
    public record Ok(int request, @Nullable String value, long number) {
        /** Writes an answer without value and number, without garbage. */
        public static void writePlain(ByteBuf out, int request) {
            out.writeInt(request);
        }

        public void write(ByteBuf out) {
            out.writeInt(request);
            if (value != null || number != 0) {
                WireWriter.optionalText(out, value);
                out.writeLong(number);
            }
        }

        /** Reads the request only, if nothing else is expected. */
        public static int readRequest(ByteBuf in) {
            return WireReader.i32(in);
        }

        public static Ok read(ByteBuf in) {
            int request = WireReader.i32(in);
            return in.isReadable()
                    ? new Ok(request, WireReader.optionalText(in), WireReader.i64(in))
                    : new Ok(request, null, 0);
        }
    }

    /** REFUSED: {@code u32 request · u8 code · text}. */
    public record Refused(int request, RefusalCode code, String text) {
        public void write(ByteBuf out) {
            out.writeInt(request).writeByte(code.code());
            WireWriter.text(out, text);
        }

        public static Refused read(ByteBuf in) {
            return new Refused(WireReader.i32(in), RefusalCode.of(WireReader.u8(in)), WireReader.text(in));
        }
    }

    /** RECEIVE_DONE: {@code u32 request · u32 count}; follows {@code count} DELIVER frames for its consumer. */
    public record ReceiveDone(int request, int count) {
        /** Writes without a record. */
        public static void write(ByteBuf out, int request, int count) {
            out.writeInt(request).writeInt(count);
        }

        public static ReceiveDone read(ByteBuf in) {
            return new ReceiveDone(WireReader.i32(in), FrameValues.count(in));
        }
    }

    /** CONSUMER_CLOSED: {@code u32 consumer · u8 code · text}. */
    public record ConsumerClosed(int consumer, RefusalCode code, String text) {
        public void write(ByteBuf out) {
            out.writeInt(consumer).writeByte(code.code());
            WireWriter.text(out, text);
        }

        public static ConsumerClosed read(ByteBuf in) {
            return new ConsumerClosed(WireReader.i32(in), RefusalCode.of(WireReader.u8(in)), WireReader.text(in));
        }
    }

    /** CONNECTION_ERROR: {@code u8 code · text}, for the ExceptionListener. */
    public record ConnectionError(RefusalCode code, String text) {
        public void write(ByteBuf out) {
            out.writeByte(code.code());
            WireWriter.text(out, text);
        }

        public static ConnectionError read(ByteBuf in) {
            return new ConnectionError(RefusalCode.of(WireReader.u8(in)), WireReader.text(in));
        }
    }

    /**
     * ONE_WAY_FAILED: {@code u32 producer · u32 count · u8 code · text}; the producer's next two-way send reports it.
     *
     * @param count one-way messages that were dropped since the last such frame
     */
    public record OneWayFailed(int producer, int count, RefusalCode code, String text) {
        public void write(ByteBuf out) {
            out.writeInt(producer).writeInt(count).writeByte(code.code());
            WireWriter.text(out, text);
        }

        public static OneWayFailed read(ByteBuf in) {
            return new OneWayFailed(
                    WireReader.i32(in), FrameValues.count(in), RefusalCode.of(WireReader.u8(in)), WireReader.text(in));
        }
    }

    /**
     * BROWSE_DONE: {@code u32 request · u32 count · i64 cursor}.
     *
     * @param cursor the cursor of the next BROWSE, 0 at the end of the destination
     */
    public record BrowseDone(int request, int count, long cursor) {
        public void write(ByteBuf out) {
            out.writeInt(request).writeInt(count).writeLong(cursor);
        }

        public static BrowseDone read(ByteBuf in) {
            return new BrowseDone(WireReader.i32(in), FrameValues.count(in), WireReader.i64(in));
        }
    }
}
