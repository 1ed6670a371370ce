package io.weir.lab.slow;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * An HTTP/2 connection (RFC 9113) with fifty slow streams: bodies that trickle, or large answers that are read slowly
 * or not at all. A stream that ends is replaced in the next second. Confined to the clients' thread.
 */
final class SlowStreams implements SlowManner {
    static final int STREAMS = 50;
    private static final int SLOW = 1024;
    private static final int LARGE = 1 << 20;
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int GOAWAY = 7;
    private static final int WINDOW_UPDATE = 8;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;
    private static final int ACK = 1;
    private static final int HEAD = 9;
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final boolean bodies;
    private final int[] streams = new int[STREAMS];
    private final ByteBuffer out = ByteBuffer.allocate(16384);
    private final ByteBuffer head = ByteBuffer.allocate(HEAD + 8);
    private int next = 1;
    private int left;

    SlowStreams(boolean bodies) {
        this.bodies = bodies;
    }

    @Override
    public byte[] opening() {
        out.put(PREFACE);
        // SETTINGS_INITIAL_WINDOW_SIZE: only a reading client opens a stream's window further
        frame(SETTINGS, 0, 0, 6).putShort((short) 4).putInt(SLOW);
        // the connection's window does not limit its streams
        frame(WINDOW_UPDATE, 0, 0, 4).putInt(Integer.MAX_VALUE - 65535);
        begin();
        return sent();
    }

    @Override
    public byte[] more() {
        for (int i = 0; i < STREAMS; i++) {
            if (streams[i] != 0 && bodies) {
                frame(DATA, 0, streams[i], 1).put((byte) 'x');
            } else if (streams[i] != 0 && i % 2 == 0) {
                frame(WINDOW_UPDATE, 0, streams[i], 4).putInt(SLOW);
            }
        }
        begin();
        return sent();
    }

    /** Opens the missing streams. */
    private void begin() {
        for (int i = 0; i < STREAMS; i++) {
            if (streams[i] == 0) {
                streams[i] = next;
                byte[] fields = fields(next);
                frame(HEADERS, bodies ? END_HEADERS : END_HEADERS | END_STREAM, next, fields.length)
                        .put(fields);
                next += 2;
            }
        }
    }

    /** RFC 7541: the method and the scheme from the static table, the rest as literals. */
    private byte[] fields(int stream) {
        ByteBuffer block = ByteBuffer.allocate(128);
        block.put((byte) (bodies ? 0x83 : 0x82)).put((byte) 0x86);
        literal(block, 1, "bench.test");
        literal(block, 4, bodies ? "/slow/" + stream : "/slow/bytes/" + LARGE + "?stream=" + stream);
        return Arrays.copyOf(block.array(), block.position());
    }

    private static void literal(ByteBuffer block, int name, String value) {
        block.put((byte) name).put((byte) value.length()).put(value.getBytes(StandardCharsets.US_ASCII));
    }

    private ByteBuffer frame(int type, int flags, int stream, int length) {
        return out.put((byte) 0)
                .putShort((short) length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(stream);
    }

    private byte[] sent() {
        byte[] bytes = Arrays.copyOf(out.array(), out.position());
        out.clear();
        return bytes;
    }

    @Override
    public int appetite() {
        return ALL;
    }

    @Override
    public int patience() {
        return Integer.MAX_VALUE;
    }

    @Override
    public void came(ByteBuffer bytes) throws Refused {
        while (bytes.hasRemaining()) {
            int skipped = Math.min(left, bytes.remaining());
            bytes.position(bytes.position() + skipped);
            left -= skipped;
            while (left == 0 && bytes.hasRemaining() && head.position() < HEAD) {
                head.put(bytes.get());
            }
            if (left == 0 && head.position() >= HEAD) {
                frameReceived(bytes);
            }
        }
    }

    /** Called when a frame's header has arrived: waits for a PING's eight bytes, skips the payload of all others. */
    private void frameReceived(ByteBuffer bytes) throws Refused {
        int length = (head.get(0) & 0xFF) << 16 | (head.getShort(1) & 0xFFFF);
        int type = head.get(3);
        int flags = head.get(4);
        int stream = head.getInt(5);
        if (type == PING && (flags & ACK) == 0 && length == 8) {
            while (bytes.hasRemaining() && head.hasRemaining()) {
                head.put(bytes.get());
            }
            if (head.hasRemaining()) {
                return;
            }
            answered(PING, Arrays.copyOfRange(head.array(), HEAD, HEAD + 8));
            head.clear();
            return;
        }
        head.clear();
        left = length;
        switch (type) {
            case SETTINGS -> {
                if ((flags & ACK) == 0) {
                    answered(SETTINGS, new byte[0]);
                }
            }
            case GOAWAY -> throw new Refused("GOAWAY");
            case RST_STREAM -> ended(stream);
            case HEADERS, DATA -> {
                if ((flags & END_STREAM) != 0) {
                    ended(stream);
                }
            }
            default -> {
                // not needed
            }
        }
    }

    /** Queues an answer for the next second's frames; only the first few, because no honest server sends more. */
    private void answered(int type, byte[] payload) {
        if (out.position() < 1024) {
            frame(type, ACK, 0, payload.length).put(payload);
        }
    }

    private void ended(int stream) {
        for (int i = 0; i < STREAMS; i++) {
            if (streams[i] == stream) {
                streams[i] = 0;
            }
        }
    }
}
