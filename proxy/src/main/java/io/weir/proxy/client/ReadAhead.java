package io.weir.proxy.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelConfig;
import io.weir.proxy.context.EngineCounters;
import io.weir.proxy.context.EngineSettings;
import org.jspecify.annotations.Nullable;

/** Bounds what is read from a client before it can be used: bytes, and pipelined requests. Stateless. */
public final class ReadAhead {
    private ReadAhead() {}

    /** Enables or disables reading; a stop is counted under the bound that caused it. */
    public static void read(Http1Connection client, boolean on, @Nullable ByteBuf unread) {
        ChannelConfig config = client.channel().config();
        // a half-closed client sends no more, and epoll may have removed its socket
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

    /** Whether no more is to be read while the current request is answered. */
    public static boolean full(@Nullable ByteBuf unread, EngineSettings settings) {
        if (unread == null) {
            return false;
        }
        return unread.readableBytes() >= settings.readAhead() || heads(unread) >= settings.pipelining();
    }

    /** Counts empty lines, which end heads; a body may contain some too, and then reading only stops earlier. */
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
