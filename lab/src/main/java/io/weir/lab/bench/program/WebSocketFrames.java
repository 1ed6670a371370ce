package io.weir.lab.bench.program;

/** Heads of WebSocket frames (RFC 6455 section 5.2). Stateless. */
final class WebSocketFrames {
    private static final int SHORT = 126;
    private static final int LONG = 127;
    private static final int FINAL_BINARY = 0x82;
    private static final int MASKED = 0x80;

    private WebSocketFrames() {}

    /** Bytes of the head without a mask, by the seven bits of the length. */
    static int headBytes(int length) {
        return length == LONG ? 10 : length == SHORT ? 4 : 2;
    }

    /** The length of the payload that a head announces. */
    static long payload(byte[] head) {
        int length = head[1] & 0x7f;
        if (length < SHORT) {
            return length;
        }
        long all = 0;
        for (int i = 2; i < headBytes(length); i++) {
            all = (all << 8) | (head[i] & 0xff);
        }
        return all;
    }

    /**
     * The head of a whole binary frame.
     *
     * @param masked whether it is a client's, with a mask of zeros
     */
    static byte[] head(int payload, boolean masked) {
        int length = payload < SHORT ? payload : payload <= 0xffff ? SHORT : LONG;
        int bytes = headBytes(length);
        byte[] head = new byte[bytes + (masked ? 4 : 0)];
        head[0] = (byte) FINAL_BINARY;
        head[1] = (byte) (length | (masked ? MASKED : 0));
        long rest = payload;
        for (int i = bytes - 1; i > 1; i--) {
            head[i] = (byte) rest;
            rest >>= 8;
        }
        return head;
    }
}
