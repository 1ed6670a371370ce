package io.weir.proxy.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelConfig;
import io.weir.proxy.context.EngineCounters;
import io.weir.proxy.context.EngineSettings;
import org.jspecify.annotations.Nullable;

/** The bound on what is read from a client before it can be used: bytes, and pipelined requests. Stateless. */
public final class ReadAhead {
    private ReadAhead() {}

    /** Reads on or stops reading; a stop is counted by the bound that made it. */
    public static void read(Http1Connection client, boolean on, @Nullable ByteBuf unread) {
        ChannelConfig config = client.channel().config();
        // a client that ended its side sends no more, and epoll may have let go of its socket
        if (on == config.isAutoRead() || (on && client.inputClosed())) {
            return;
        }
        config.setAutoRead(on);
        if (!on && unread != null) {
            EngineCounters counters = client.loop.counters();
            boolean bytes = unread.readableBytes() >= client.loop.settings().readAhead();
            (bytes ? counters.readAheadReached : counters.depthReached).inc();
        }
    }

    /** Whether no more is to be read while the present request is answered. */
    public static boolean full(@Nullable ByteBuf unread, EngineSettings settings) {
        if (unread == null) {
            return false;
        }
        return unread.readableBytes() >= settings.readAhead() || heads(unread) >= settings.pipelining();
    }

    /** Empty lines, which end heads; a body may hold some too, and then reading only stops earlier. */
    private static int heads(ByteBuf unread) {
        int n = 0;
        int end = unread.writerIndex();
        int lf = unread.indexOf(unread.readerIndex(), end, (byte) '\n');
        while (lf >= 0) {
            boolean empty = lf >= unread.readerIndex() + 2 && unread.getByte(lf - 2) == '\n';
            n += empty ? 1 : 0;
            lf = unread.indexOf(lf + 1, end, (byte) '\n');
        }
        return n;
    }
}
