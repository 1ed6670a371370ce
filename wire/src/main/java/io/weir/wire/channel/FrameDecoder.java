package io.weir.wire.channel;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.weir.wire.WireFault;
import io.weir.wire.WireFault.Reason;
import io.weir.wire.WireFrame;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Cuts what is read into frames. A frame that arrived whole is handed over where it lies; only one that is split over
 * reads is copied, into a buffer that grows with what has arrived, never with what the length promises. Confined to the
 * connection's loop.
 */
final class FrameDecoder {
    /** The least a length may say: type and stream. */
    static final int LEAST = WireFrame.HEAD - WireFrame.LENGTH;

    private static final int FIRST_CAPACITY = 256;

    /** How requests of HTTP and its answers begin. */
    private static final Set<String> HTTP =
            Set.of("HTTP", "GET ", "HEAD", "POST", "PUT ", "DELE", "OPTI", "CONN", "PATC", "TRAC", "PRI ");

    /** How records of TLS begin. */
    private static final int TLS_HANDSHAKE = 0x1603;

    private static final int TLS_ALERT = 0x1503;

    /** Where frames go. */
    interface Sink {
        /** The longest length allowed now. */
        int maxFrame();

        /** A frame; its payload is between the buffer's indices during the call. */
        void frame(int type, int stream, ByteBuf payload);

        /** Whether the rest of what was read is to be dropped. */
        boolean stopped();
    }

    private final Sink sink;

    /** The beginning of a frame whose rest has not arrived. */
    private @Nullable ByteBuf partial;

    FrameDecoder(Sink sink) {
        this.sink = sink;
    }

    /** Hands over the frames of one read, which it takes over. */
    void read(ByteBuf in, ByteBufAllocator allocator) {
        try {
            if (partial != null && !complete(partial, in)) {
                return;
            }
            while (!sink.stopped() && arrived(in)) {
                deliver(in);
            }
            if (!sink.stopped() && in.isReadable()) {
                keep(in, allocator);
            }
        } finally {
            in.release();
        }
    }

    /** Lets go of what it holds. */
    void close() {
        ByteBuf p = partial;
        if (p != null) {
            partial = null;
            p.release();
        }
    }

    private boolean arrived(ByteBuf in) {
        int readable = in.readableBytes();
        return readable >= WireFrame.LENGTH && readable - WireFrame.LENGTH >= length(in);
    }

    private int length(ByteBuf in) {
        int length = in.getInt(in.readerIndex());
        int max = sink.maxFrame();
        if (length < LEAST || length > max) {
            throw new WireFault(
                    Reason.FRAME_LENGTH,
                    "a frame of " + Integer.toUnsignedString(length) + " bytes; allowed are " + LEAST + " to " + max
                            + spoken(in, length));
        }
        return length;
    }

    /** What the other end seems to speak, if its bytes are the beginning of something well known. */
    private static String spoken(ByteBuf in, int length) {
        if (HTTP.contains(in.toString(in.readerIndex(), WireFrame.LENGTH, StandardCharsets.US_ASCII))) {
            return ": the other end speaks HTTP, not weir; is this the port of messaging?";
        }
        int record = length >>> Short.SIZE;
        return record == TLS_HANDSHAKE || record == TLS_ALERT
                ? ": the other end speaks TLS, this one does not; weirs:// is with TLS"
                : "";
    }

    private void deliver(ByteBuf in) {
        int start = in.readerIndex();
        int end = start + WireFrame.LENGTH + in.getInt(start);
        int limit = in.writerIndex();
        int type = in.getUnsignedByte(start + WireFrame.LENGTH);
        int stream = in.getInt(start + WireFrame.LENGTH + 1);
        in.setIndex(start + WireFrame.HEAD, end);
        try {
            sink.frame(type, stream, in);
        } finally {
            in.setIndex(end, limit);
        }
    }

    /** Adds what it lacks to a split frame and hands it over; false when there is still something missing. */
    private boolean complete(ByteBuf p, ByteBuf in) {
        if (!fill(p, in, WireFrame.LENGTH) || !fill(p, in, WireFrame.LENGTH + length(p))) {
            return false;
        }
        partial = null;
        try {
            deliver(p);
        } finally {
            p.release();
        }
        return true;
    }

    private static boolean fill(ByteBuf p, ByteBuf in, int size) {
        int missing = size - p.readableBytes();
        if (missing > 0) {
            p.writeBytes(in, Math.min(missing, in.readableBytes()));
        }
        return p.readableBytes() >= size;
    }

    private void keep(ByteBuf in, ByteBufAllocator allocator) {
        ByteBuf p = allocator.directBuffer(Math.max(FIRST_CAPACITY, in.readableBytes()));
        p.writeBytes(in);
        partial = p;
    }
}
