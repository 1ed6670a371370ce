package io.weir.lab.slow;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A connection with a single message: a request of HTTP/1.1 or a part of it, or a part of another handshake. */
final class SlowText implements SlowManner {
    /** More than socket buffers hold, so that the server must wait for a client that does not read. */
    static final int LARGE = 4 << 20;

    /** Less than a megabyte, which nginx accepts by default; an hour at 300 bytes a second. */
    private static final int BODY = 1_000_000;

    private static final int SILENCE = 30;
    private static final String HOST = " HTTP/1.1\r\nHost: bench.test\r\n";

    /** The start of a successful answer. */
    private static final String GOOD = "HTTP/1.1 2";

    private final byte[] opening;
    private final byte[] more;
    private final int appetite;
    private final boolean answered;
    private int seen;

    /**
     * The behaviour on one connection.
     *
     * @param answered whether a successful answer is expected; else any answer is a refusal
     */
    private SlowText(byte[] opening, byte[] more, int appetite, boolean answered) {
        this.opening = opening;
        this.more = more;
        this.appetite = appetite;
        this.answered = answered;
    }

    static SlowText body(int index, int bytesASecond) {
        return new SlowText(
                ascii("POST /slow/" + index + HOST + "Content-Length: " + BODY + "\r\n\r\n1"),
                ascii("1".repeat(bytesASecond)),
                ALL,
                false);
    }

    static SlowText reader(int index, int bytesASecond) {
        return new SlowText(
                ascii("GET /slow/bytes/" + LARGE + "?reader=" + index + HOST + "\r\n"),
                new byte[0],
                bytesASecond,
                true);
    }

    static SlowText events(int index) {
        return new SlowText(ascii("GET /slow/events/" + index + HOST + "\r\n"), new byte[0], ALL, true);
    }

    static SlowText halfRequest(int index) {
        return new SlowText(ascii("GET /slow/" + index + HOST + "X-Slow: a"), ascii("b"), ALL, false);
    }

    /** RFC 8446 section 5.1: a record of 508 bytes, of which four are sent: the start of a ClientHello. */
    static SlowText halfHandshake() {
        return new SlowText(new byte[] {22, 3, 1, 1, (byte) 0xFC, 1, 0, 1, (byte) 0xF8}, new byte[0], ALL, false);
    }

    /** docs/wire.md: a HELLO of 64 bytes; its client takes longer than the server waits. */
    static SlowText halfHello(boolean silent) {
        byte[] whole = {0, 0, 0, 64, 1, 0, 0, 0, 0, 'W', 'E', 'I', 'R', 1, 2, 0, 16, 0, 0, 0, 0, 0, 0, 44};
        byte[] three = {0, 0, 0};
        return new SlowText(silent ? three : whole, ascii(silent ? "" : "p"), ALL, false);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public byte[] opening() {
        return opening;
    }

    @Override
    public byte[] more() {
        return more;
    }

    @Override
    public int appetite() {
        return appetite;
    }

    @Override
    public int patience() {
        return appetite == 0 ? SILENCE : Integer.MAX_VALUE;
    }

    @Override
    public void came(ByteBuffer bytes) throws Refused {
        while (bytes.hasRemaining() && (!answered || seen < GOOD.length())) {
            if (!answered || bytes.get(bytes.position()) != GOOD.charAt(seen)) {
                throw new Refused(printable(bytes));
            }
            bytes.get();
            seen++;
        }
        bytes.position(bytes.limit());
    }

    private static String printable(ByteBuffer bytes) {
        byte[] some = new byte[Math.min(bytes.remaining(), 40)];
        bytes.get(some);
        return new String(some, StandardCharsets.ISO_8859_1)
                .replaceAll("[^ -~]+", ".")
                .toLowerCase(Locale.ROOT);
    }
}
