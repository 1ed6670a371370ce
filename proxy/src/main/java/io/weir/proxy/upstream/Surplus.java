package io.weir.proxy.upstream;

import io.netty.buffer.ByteBuf;

/** Data that an origin sends without a request. Stateless. */
final class Surplus {
    private static final int STATUS_AT = "HTTP/1.1 ".length();

    private Surplus() {}

    /**
     * Whether it is a 408, with which some origins announce that they close an idle connection (RFC 9110 section
     * 15.5.9): it answers no request.
     */
    static boolean farewell(ByteBuf bytes) {
        int at = bytes.readerIndex() + STATUS_AT;
        return bytes.readableBytes() >= STATUS_AT + 3
                && bytes.getByte(bytes.readerIndex()) == 'H'
                && bytes.getByte(at) == '4'
                && bytes.getByte(at + 1) == '0'
                && bytes.getByte(at + 2) == '8';
    }
}
