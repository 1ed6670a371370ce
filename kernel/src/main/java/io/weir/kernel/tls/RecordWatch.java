package io.weir.kernel.tls;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;

/**
 * Rejects renegotiation with TLS 1.2, with any TLS provider: a handshake record after the handshake closes the
 * connection. Otherwise a client could make the server compute handshakes at little cost to itself (CVE-2011-1473).
 * Reads record headers only (RFC 5246 section 6.2.1). Confined to the connection's muxer.
 */
final class RecordWatch extends ChannelInboundHandlerAdapter {
    private static final int HEADER = 5;
    private static final int HANDSHAKE = 22;

    private final Runnable refused;
    private boolean established;
    private int inHeader;
    private int left;
    private int type;

    /** @param refused called once, before the connection is closed */
    RecordWatch(Runnable refused) {
        this.refused = refused;
    }

    /** Marks the handshake as complete: no handshake record may begin from here on. */
    void established() {
        established = true;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof ByteBuf bytes && renegotiates(bytes)) {
            ReferenceCountUtil.release(message);
            refused.run();
            var _ = ctx.close();
        } else {
            ctx.fireChannelRead(message);
        }
    }

    private boolean renegotiates(ByteBuf bytes) {
        int at = bytes.readerIndex();
        int end = bytes.writerIndex();
        while (at < end) {
            if (inHeader == HEADER && left > 0) {
                int step = Math.min(left, end - at);
                left -= step;
                at += step;
            } else {
                header(bytes.getUnsignedByte(at++));
                if (established && inHeader == 1 && type == HANDSHAKE) {
                    return true;
                }
            }
            if (inHeader == HEADER && left == 0) {
                inHeader = 0;
            }
        }
        return false;
    }

    /** Record header: type, two bytes of version, two of length. */
    private void header(int value) {
        switch (inHeader++) {
            case 0 -> type = value;
            case 3 -> left = value << 8;
            case 4 -> left |= value;
            default -> {}
        }
    }
}
