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
 * Splits received bytes into frames. A frame that arrived in one read is passed on without copying; only a frame split
 * over several reads is copied, into a buffer that grows with the received bytes, not with the announced length.
 * Confined to the connection's loop.
 */
final class FrameDecoder {
    /** The minimum value of the length field: type and stream. */
    static final int LEAST = WireFrame.HEAD - WireFrame.LENGTH;

    private static final int FIRST_CAPACITY = 256;

    /** The first bytes of HTTP requests and responses. */
    private static final Set<String> HTTP =
            Set.of("HTTP", "GET ", "HEAD", "POST", "PUT ", "DELE", "OPTI", "CONN", "PATC", "TRAC", "PRI ");

    /** The first bytes of TLS records. */
    private static final int TLS_HANDSHAKE = 0x1603;

    private static final int TLS_ALERT = 0x1503;

    /** Receives the frames. */
    interface Sink {
        /** The maximum frame length allowed now. */
        int maxFrame();

        /** Receives a frame; its payload is between the buffer's indices, valid during the call. */
        void frame(int type, int stream, ByteBuf payload);

        /** Whether the remaining received bytes must be dropped. */
        boolean stopped();
    }

    private final Sink sink;

    /** The beginning of a frame that has not arrived completely. */
    private @Nullable ByteBuf partial;

    FrameDecoder(Sink sink) {
        this.sink = sink;
    }

    /** Passes on the frames of one read; takes ownership of the buffer. */
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

    /** Releases the partial frame. */
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
                            + protocolHint(in, length));
        }
        return length;
    }

    /** A hint on the peer's protocol, if its bytes are the beginning of a well-known one. */
    private static String protocolHint(ByteBuf in, int length) {
        if (HTTP.contains(in.toString(in.readerIndex(), WireFrame.LENGTH, StandardCharsets.US_ASCII))) {
            return ": the peer speaks HTTP, not weir; check that this is the port for messaging";
        }
        int record = length >>> Short.SIZE;
        return record == TLS_HANDSHAKE || record == TLS_ALERT
                ? ": the peer uses TLS, this end does not; use weirs:// for TLS"
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

    /** Completes a split frame and passes it on; returns false if bytes are still missing. */
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
