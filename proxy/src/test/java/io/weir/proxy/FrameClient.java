package io.weir.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A client that sends and reads single HTTP/2 frames: it can break every rule. */
final class FrameClient implements AutoCloseable {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int PRIORITY = 2;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;
    static final int END_STREAM = 1;
    static final int END_HEADERS = 4;
    static final int CALM = 0xb;
    static final byte[] NOTHING = {};

    /** A frame as it came. */
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
            return (type == DATA || type == HEADERS) && (flags & END_STREAM) != 0;
        }

        /** The settings of a SETTINGS frame. */
        Map<Integer, Integer> settings() {
            Map<Integer, Integer> settings = new HashMap<>();
            ByteBuf in = Unpooled.wrappedBuffer(payload);
            while (in.isReadable()) {
                settings.put(in.readUnsignedShort(), in.readInt());
            }
            return settings;
        }

        /** The last stream of a GOAWAY. */
        int lastStream() {
            return Unpooled.wrappedBuffer(payload).getInt(0);
        }

        /** The error of a GOAWAY or RST_STREAM. */
        int error() {
            ByteBuf in = Unpooled.wrappedBuffer(payload);
            return in.getInt(type == GOAWAY ? 4 : 0);
        }
    }

    /** What came on one stream, whole. */
    record Answer(String status, Map<String, String> fields, String text, Map<String, String> trailers) {}

    final Socket socket;
    private final DataInputStream in;
    private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false, 1 << 20);

    FrameClient(int port) throws IOException {
        this(port, 0);
    }

    /** With a receive buffer of this size. */
    FrameClient(int port, int receiveBuffer) throws IOException {
        this(connect(port, receiveBuffer));
        preface(NOTHING);
    }

    FrameClient(Socket connected) throws IOException {
        socket = connected;
        socket.setSoTimeout(10_000);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(socket.getInputStream());
    }

    /** One that has not yet sent its preface. */
    static FrameClient bare(int port) throws IOException {
        return new FrameClient(connect(port, 0));
    }

    private static Socket connect(int port, int receiveBuffer) throws IOException {
        Socket socket = new Socket();
        if (receiveBuffer > 0) {
            socket.setReceiveBufferSize(receiveBuffer);
        }
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return socket;
    }

    /** Preface and first settings. */
    FrameClient preface(byte[] settings) throws IOException {
        raw("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        return frame(SETTINGS, 0, 0, settings);
    }

    /** A setting as a payload. */
    static byte[] setting(int id, int value) {
        return Unpooled.buffer(6, 6).writeShort(id).writeInt(value).array();
    }

    static byte[] number(int value) {
        return Unpooled.buffer(4, 4).writeInt(value).array();
    }

    FrameClient raw(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    FrameClient frame(int type, int flags, int stream, byte[] payload) throws IOException {
        return raw(bytes(type, flags, stream, payload));
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

    /** Fields as literals without indexing; a line is {@code name: value}, a pseudo-field {@code :name: value}. */
    static byte[] block(String... lines) {
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
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        if (bytes.length < 127) {
            out.write(bytes.length);
        } else {
            out.write(127);
            int rest = bytes.length - 127;
            for (; rest > 127; rest >>= 7) {
                out.write((rest & 127) | 128);
            }
            out.write(rest);
        }
        out.writeBytes(bytes);
    }

    FrameClient request(int stream, boolean end, String... lines) throws IOException {
        return frame(HEADERS, END_HEADERS | (end ? END_STREAM : 0), stream, block(lines));
    }

    /** The lines of a request with these added. */
    static String[] lines(String method, String path, String... more) {
        List<String> lines = new ArrayList<>(
                List.of(":method: " + method, ":scheme: http", ":authority: example.com", ":path: " + path));
        lines.addAll(List.of(more));
        return lines.toArray(String[]::new);
    }

    FrameClient get(int stream, String path, String... more) throws IOException {
        return request(stream, true, lines("GET", path, more));
    }

    FrameClient data(int stream, boolean end, String text) throws IOException {
        return frame(DATA, end ? END_STREAM : 0, stream, text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** The next frame. */
    Frame next() throws IOException {
        int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        int flags = in.readUnsignedByte();
        int stream = in.readInt();
        byte[] payload = new byte[length];
        in.readFully(payload);
        return new Frame(type, flags, stream, payload);
    }

    /** The next frame of this type. */
    Frame next(int type) throws IOException {
        Frame f = next();
        while (f.type() != type) {
            if (f.type() == HEADERS) {
                // the table of the decompression goes on
                fields(f);
            }
            f = next();
        }
        return f;
    }

    Map<String, String> fields(Frame f) throws IOException {
        ByteBuf block = Unpooled.wrappedBuffer(f.payload());
        try {
            Map<String, String> fields = new HashMap<>();
            Http2Headers headers = decoder.decodeHeaders(f.stream(), block);
            headers.forEach(
                    e -> fields.merge(e.getKey().toString(), e.getValue().toString(), (a, b) -> a + ", " + b));
            return fields;
        } catch (Http2Exception e) {
            throw new IOException(e);
        }
    }

    /** Reads up to a PING, acknowledges it and returns the GOAWAY before it. */
    Frame goodbye() throws IOException {
        Frame goodbye = next(GOAWAY);
        frame(PING, 1, 0, next(PING).payload());
        return goodbye;
    }

    /** All of an answer, interim ones left out; other streams' frames are dropped. */
    Answer answer(int stream) throws IOException {
        Map<String, String> head = null;
        Map<String, String> trailers = Map.of();
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            Frame f = next();
            if ((f.type() == GOAWAY && f.error() != 0) || (f.type() == RST_STREAM && f.stream() == stream)) {
                throw new IOException("ended with error " + f.error());
            }
            Map<String, String> fields = f.type() == HEADERS ? fields(f) : null;
            if (f.stream() != stream) {
                continue;
            }
            if (fields != null && head == null) {
                head = fields.getOrDefault(":status", "").startsWith("1") ? null : fields;
            } else if (fields != null) {
                trailers = fields;
            } else if (f.type() == DATA) {
                body.writeBytes(f.payload());
            }
            if (f.ends() && head != null) {
                return new Answer(
                        head.getOrDefault(":status", ""), head, body.toString(StandardCharsets.ISO_8859_1), trailers);
            }
        }
    }

    /** Whether the other side has closed, what it still sent left out; then this side closes, too. */
    boolean ended() throws IOException {
        try {
            while (true) {
                next();
            }
        } catch (java.net.SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            socket.close();
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
