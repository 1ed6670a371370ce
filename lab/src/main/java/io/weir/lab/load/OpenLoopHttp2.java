package io.weir.lab.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;

/**
 * An HTTP/2 connection under TLS (RFC 9113) with several outstanding requests, each on a stream. It writes the same bytes
 * for each request (the first one leaves path and authority in the server's table) and reads of an answer only its status
 * and its end, so that the load costs less than the server. Confined to its loop's thread.
 */
final class OpenLoopHttp2 implements OpenLoopConnection {
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int GOAWAY = 7;
    private static final int WINDOW_UPDATE = 8;
    private static final int CONTINUATION = 9;

    private static final int END_STREAM = 1;
    private static final int ACK = 1;
    private static final int END_HEADERS = 4;
    private static final int PADDED = 8;
    private static final int PRIORITY = 0x20;

    private static final int HEADER_TABLE_SIZE = 1;
    private static final int ENABLE_PUSH = 2;
    private static final int INITIAL_WINDOW_SIZE = 4;

    private static final int FRAME_HEAD = 9;
    private static final int LARGEST_FRAME = 16384;
    private static final int DEFAULT_WINDOW = 65535;
    private static final int DEFAULT_TABLE = 4096;
    /** Received bytes after which the connection's window is opened again. */
    private static final int REFILL = 1 << 29;

    /** RFC 7541: GET and https of the static table, then the two newest entries of the dynamic one. */
    private static final byte[] AGAIN = {(byte) 0x82, (byte) 0x87, (byte) 0xbf, (byte) 0xbe};

    /** :status 200 of the static table. */
    private static final int OK = 0x88;

    private final OpenLoopTls tls;
    private final byte[] firstRequest;
    private final int[] streams;
    private final long[] dues;
    private final boolean[] begun;
    private final ByteBuffer out = ByteBuffer.allocateDirect(1024);
    private final ByteBuffer in = ByteBuffer.allocateDirect(4 * (LARGEST_FRAME + FRAME_HEAD));
    private int next = 1;
    private int received;

    private OpenLoopHttp2(OpenLoopTls tls, String path, int room) {
        this.tls = tls;
        this.firstRequest = first(path);
        this.streams = new int[room];
        this.dues = new long[room];
        this.begun = new boolean[room];
    }

    /**
     * Connects.
     *
     * @param room streams at once; servers admit at least a hundred
     */
    static OpenLoopHttp2 open(int port, String path, int room, Selector selector) throws IOException {
        OpenLoopTls tls = OpenLoopTls.open(port);
        try {
            OpenLoopHttp2 opened = new OpenLoopHttp2(tls, path, room);
            opened.begin();
            tls.register(selector, opened);
            return opened;
        } catch (IOException e) {
            tls.close();
            throw e;
        }
    }

    /** GET and https, path and authority as literals that are added to the table. */
    private static byte[] first(String path) {
        byte[] where = path.getBytes(StandardCharsets.US_ASCII);
        byte[] who = "bench.test".getBytes(StandardCharsets.US_ASCII);
        if (where.length > 126) {
            throw new IllegalArgumentException("a long path");
        }
        ByteBuffer block = ByteBuffer.allocate(6 + where.length + who.length);
        block.put((byte) 0x82).put((byte) 0x87);
        block.put((byte) 0x44).put((byte) where.length).put(where);
        block.put((byte) 0x41).put((byte) who.length).put(who);
        return block.array();
    }

    private void begin() throws IOException {
        out.put(PREFACE);
        frame(SETTINGS, 0, 0, 12);
        out.putShort((short) ENABLE_PUSH).putInt(0);
        out.putShort((short) INITIAL_WINDOW_SIZE).putInt(Integer.MAX_VALUE);
        frame(WINDOW_UPDATE, 0, 0, 4).putInt(Integer.MAX_VALUE - DEFAULT_WINDOW);
        send();
        // what came with the end of the handshake would not wake a selector
        take((_, _) -> {});
    }

    @Override
    public int room() {
        return streams.length;
    }

    @Override
    public void ask(long due) throws IOException {
        int slot = slot(0);
        streams[slot] = next;
        dues[slot] = due;
        begun[slot] = false;
        byte[] fields = next == 1 ? firstRequest : AGAIN;
        frame(HEADERS, END_HEADERS | END_STREAM, next, fields.length).put(fields);
        next += 2;
        send();
    }

    private int slot(int stream) throws IOException {
        for (int i = 0; i < streams.length; i++) {
            if (streams[i] == stream) {
                return i;
            }
        }
        throw new IOException(stream == 0 ? "no stream is free" : "stream " + stream + " was not asked for");
    }

    private ByteBuffer frame(int type, int flags, int stream, int length) {
        return out.put((byte) 0)
                .putShort((short) length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(stream);
    }

    private void send() throws IOException {
        out.flip();
        tls.write(out);
        out.clear();
    }

    @Override
    public void read(Arrival to) throws IOException {
        tls.read();
        take(to);
    }

    private void take(Arrival to) throws IOException {
        // a record fits: at most a frame that is not complete is left of those before
        while (tls.unwrap(in)) {
            in.flip();
            while (frame(to)) {
                // the next one
            }
            in.compact();
        }
        if (out.position() > 0) {
            send();
        }
    }

    /** Takes a frame; returns false if it is not complete. */
    private boolean frame(Arrival to) throws IOException {
        if (in.remaining() < FRAME_HEAD) {
            return false;
        }
        int at = in.position();
        int length = (in.get(at) & 0xFF) << 16 | (in.getShort(at + 1) & 0xFFFF);
        if (length > LARGEST_FRAME) {
            throw new IOException("a frame of " + length + " bytes");
        }
        if (in.remaining() < FRAME_HEAD + length) {
            return false;
        }
        int flags = in.get(at + 4);
        int stream = in.getInt(at + 5);
        take(in.get(at + 3), flags, stream, at + FRAME_HEAD, length, to);
        in.position(at + FRAME_HEAD + length);
        return true;
    }

    private void take(int type, int flags, int stream, int at, int length, Arrival to) throws IOException {
        switch (type) {
            case HEADERS -> {
                status(flags, stream, at);
                end(flags, stream, to);
            }
            case DATA -> {
                refill(length);
                end(flags, stream, to);
            }
            case SETTINGS -> settings(flags, at, length);
            case PING -> {
                if ((flags & ACK) == 0) {
                    frame(PING, ACK, 0, 8).putLong(in.getLong(at));
                }
            }
            case RST_STREAM -> throw new IOException("the server resets a stream, error " + in.getInt(at));
            case GOAWAY -> throw new IOException("the server says GOAWAY, error " + in.getInt(at + 4));
            case CONTINUATION -> throw new IOException("an answer's head in several frames");
            default -> {
                // not needed
            }
        }
    }

    /** Checks a stream's first HEADERS; those after a body say nothing of it. */
    private void status(int flags, int stream, int start) throws IOException {
        int slot = slot(stream);
        if (begun[slot]) {
            return;
        }
        begun[slot] = true;
        int at = start + ((flags & PADDED) == 0 ? 0 : 1) + ((flags & PRIORITY) == 0 ? 0 : 5);
        // changes of the table's size come first (RFC 7541 section 6.3)
        while ((in.get(at) & 0xE0) == 0x20) {
            if ((in.get(at++) & 0x1F) == 0x1F) {
                while (in.get(at++) < 0) {
                    // a longer number
                }
            }
        }
        if ((in.get(at) & 0xFF) != OK) {
            throw new IOException("the server refuses");
        }
    }

    private void end(int flags, int stream, Arrival to) throws IOException {
        if ((flags & END_STREAM) != 0) {
            int slot = slot(stream);
            streams[slot] = 0;
            to.answered(this, dues[slot]);
        }
    }

    private void refill(int length) {
        received += length;
        if (received > REFILL) {
            frame(WINDOW_UPDATE, 0, 0, 4).putInt(received);
            received = 0;
        }
    }

    private void settings(int flags, int at, int length) throws IOException {
        if ((flags & ACK) != 0) {
            return;
        }
        for (int i = at; i < at + length; i += 6) {
            if (in.getShort(i) == HEADER_TABLE_SIZE && in.getInt(i + 2) < DEFAULT_TABLE) {
                throw new IOException("a header table of " + in.getInt(i + 2) + " bytes");
            }
        }
        frame(SETTINGS, ACK, 0, 0);
    }

    @Override
    public void close() throws IOException {
        tls.close();
    }
}
