package io.weir.lab.hostile;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.weir.lab.scenario.Text;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A client that sends HTTP/2 frames as they are given to it, however wrong. Confined to its test's thread. */
final class StreamClient implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 10_000;
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final Socket socket;
    private final DataInputStream in;
    private final DefaultHttp2HeadersDecoder fields = new DefaultHttp2HeadersDecoder(false, 1 << 16);
    private final Map<Integer, Client.Answer> answers = new HashMap<>();

    StreamClient(Socket connected) throws IOException {
        socket = connected;
        socket.setSoTimeout(PATIENCE_MILLIS);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    }

    /**
     * Preface and these frames in one write, and what came on the streams that are waited for: {@code reset}, {@code cut} with
     * the whole connection, or an answer.
     */
    Map<Integer, Client.Answer> exchange(byte[] frames, Set<Integer> streams) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(PREFACE);
        out.writeBytes(frame(SETTINGS, 0, 0, new byte[0]));
        out.writeBytes(frames);
        try {
            socket.getOutputStream().write(out.toByteArray());
            Map<Integer, Client.Answer> whole = new HashMap<>();
            while (!whole.keySet().containsAll(streams)) {
                read(whole);
            }
            return whole;
        } catch (EOFException | SocketException e) {
            Client.Answer cut = new Client.Answer("cut", "", e.toString());
            streams.forEach(s -> answers.merge(s, cut, (a, b) -> a.status().equals("reset") ? a : b));
            return answers;
        }
    }

    private void read(Map<Integer, Client.Answer> whole) throws IOException {
        int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        int flags = in.readUnsignedByte();
        int stream = in.readInt();
        byte[] payload = new byte[length];
        in.readFully(payload);
        if (type == HEADERS) {
            headers(stream, payload);
        } else if (type == DATA) {
            String text = new String(payload, StandardCharsets.ISO_8859_1);
            answers.computeIfPresent(stream, (_, a) -> new Client.Answer(a.status(), a.seen(), a.body() + text));
        } else if (type == RST_STREAM) {
            answers.put(
                    stream,
                    new Client.Answer(
                            "reset",
                            "",
                            "error " + Unpooled.wrappedBuffer(payload).readInt()));
        }
        boolean ends = (type == HEADERS || type == DATA) && (flags & END_STREAM) != 0;
        Client.Answer answer = answers.get(stream);
        if (answer != null && (ends || type == RST_STREAM)) {
            whole.putIfAbsent(stream, answer);
        }
    }

    /** A head, or trailers, whose fields are for nobody. */
    private void headers(int stream, byte[] payload) throws IOException {
        try {
            Http2Headers head = fields.decodeHeaders(stream, Unpooled.wrappedBuffer(payload));
            CharSequence status = head.status();
            if (status != null && status.charAt(0) != '1') {
                CharSequence seen = head.get("x-seen");
                answers.put(stream, new Client.Answer(status.toString(), seen == null ? "" : seen.toString(), ""));
            }
        } catch (Http2Exception e) {
            throw new IOException(e);
        }
    }

    /** Fields in their written form, as literals without Huffman's code. */
    static byte[] head(int stream, boolean last, List<String> lines) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        for (String line : lines) {
            int colon = line.indexOf(": ", 1);
            block.write(0);
            literal(block, Text.bytes(line.substring(0, colon)));
            literal(block, Text.bytes(line.substring(colon + 2)));
        }
        return frame(HEADERS, END_HEADERS | (last ? END_STREAM : 0), stream, block.toByteArray());
    }

    /** RFC 7541 section 5.2. */
    private static void literal(ByteArrayOutputStream block, byte[] text) {
        int rest = text.length - 127;
        block.write(Math.min(text.length, 127));
        for (; rest > 127; rest >>= 7) {
            block.write((rest & 127) | 128);
        }
        if (rest >= 0) {
            block.write(rest);
        }
        block.writeBytes(text);
    }

    static byte[] data(int stream, boolean last, byte[] bytes) {
        return frame(DATA, last ? END_STREAM : 0, stream, bytes);
    }

    /** Takes a request back. */
    static byte[] cancel(int stream) {
        return frame(RST_STREAM, 0, stream, new byte[] {0, 0, 0, 8});
    }

    private static byte[] frame(int type, int flags, int stream, byte[] payload) {
        return Unpooled.buffer(9 + payload.length, 9 + payload.length)
                .writeMedium(payload.length)
                .writeByte(type)
                .writeByte(flags)
                .writeInt(stream)
                .writeBytes(payload)
                .array();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
