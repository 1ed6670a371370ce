package io.weir.lab.mix;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The frames of one HTTP/2 connection, on either side. Reading is confined to one thread; writing is guarded by this object.
 */
final class Frames {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;

    static final int END_STREAM = 1;
    static final int END_HEADERS = 4;
    static final int NO_ERROR = 0;
    static final int REFUSED_STREAM = 7;
    static final int CANCEL = 8;
    private static final int PADDED = 8;
    private static final int PRIORITY = 0x20;

    static final byte[] PREFACE = Wire.bytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

    private final Wire wire;
    private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false, 1 << 17);

    /** A frame as it came. Immutable. */
    static final class Frame {
        private final int type;
        private final int flags;
        private final int stream;
        private final byte[] payload;

        Frame(int type, int flags, int stream, byte[] payload) {
            this.type = type;
            this.flags = flags;
            this.stream = stream;
            this.payload = payload;
        }

        int type() {
            return type;
        }

        int flags() {
            return flags;
        }

        int stream() {
            return stream;
        }

        byte[] payload() {
            return payload;
        }

        boolean ends() {
            return (flags & END_STREAM) != 0 && (type == DATA || type == HEADERS);
        }

        int number(int at) {
            return Unpooled.wrappedBuffer(payload).getInt(at);
        }
    }

    Frames(Wire wire) {
        this.wire = wire;
    }

    /** The next frame, heads put together of their parts. */
    Frame next() throws IOException {
        Frame frame = one();
        while (frame.type() == HEADERS && (frame.flags() & END_HEADERS) == 0) {
            Frame more = one();
            byte[] all = java.util.Arrays.copyOf(frame.payload(), frame.payload().length + more.payload().length);
            System.arraycopy(more.payload(), 0, all, frame.payload().length, more.payload().length);
            frame = new Frame(HEADERS, frame.flags() | more.flags(), frame.stream(), all);
        }
        return frame;
    }

    private Frame one() throws IOException {
        byte[] head = exactly(9);
        int length = ((head[0] & 0xff) << 16) | ((head[1] & 0xff) << 8) | (head[2] & 0xff);
        int stream = Unpooled.wrappedBuffer(head).getInt(5);
        byte[] payload = exactly(length);
        if ((head[4] & (PADDED | PRIORITY)) != 0
                && (head[3] == HEADERS || head[3] == DATA)
                && (head[4] & PADDED) != 0) {
            throw new IOException("padding is not read here");
        }
        return new Frame(head[3], head[4] & 0xff, stream, payload);
    }

    private byte[] exactly(int count) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(count);
        if (!wire.read(count, bytes)) {
            throw new EOFException(bytes.size() == 0 ? "the connection ended" : "within a frame");
        }
        return bytes.toByteArray();
    }

    /** Fields of a head in order; those with one name joined. */
    Map<String, String> fields(Frame head) throws IOException {
        try {
            Map<String, String> fields = new LinkedHashMap<>();
            Http2Headers decoded = decoder.decodeHeaders(head.stream(), Unpooled.wrappedBuffer(head.payload()));
            decoded.forEach(
                    e -> fields.merge(e.getKey().toString(), e.getValue().toString(), (a, b) -> a + ", " + b));
            return fields;
        } catch (Http2Exception e) {
            throw new IOException(e);
        }
    }

    static byte[] bytes(int type, int flags, int stream, byte[] payload) {
        return Unpooled.buffer(9 + payload.length, 9 + payload.length)
                .writeMedium(payload.length)
                .writeByte(type)
                .writeByte(flags)
                .writeInt(stream)
                .writeBytes(payload)
                .array();
    }

    static byte[] number(int value) {
        return Unpooled.buffer(4, 4).writeInt(value).array();
    }

    static byte[] setting(int id, int value) {
        return Unpooled.buffer(6, 6).writeShort(id).writeInt(value).array();
    }

    /** Fields as literals without indexing and without Huffman's code; a line is {@code name: value}. */
    static byte[] block(List<String> lines) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (String line : lines) {
            int colon = line.indexOf(": ", 1);
            out.write(0);
            text(out, line.substring(0, colon));
            text(out, line.substring(colon + 2));
        }
        return out.toByteArray();
    }

    private static void text(ByteArrayOutputStream out, String text) {
        byte[] bytes = Wire.bytes(text);
        out.write(Math.min(bytes.length, 127));
        int rest = bytes.length - 127;
        for (; rest > 127; rest >>= 7) {
            out.write((rest & 127) | 128);
        }
        if (rest >= 0) {
            out.write(rest);
        }
        out.writeBytes(bytes);
    }

    synchronized void write(int type, int flags, int stream, byte[] payload) throws IOException {
        wire.write(bytes(type, flags, stream, payload));
    }

    synchronized void writeInPieces(byte[] frames) throws IOException {
        wire.writeInPieces(frames);
    }
}
