package io.weir.server;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.kernel.Kernel;
import io.weir.kernel.Protocol;
import io.weir.server.config.WeirConfig;
import io.weir.server.monitor.Facts;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What is spoken on the listeners: the proxy, as far as the assembly knows it. Lives as long as the server. */
final class Engine implements AutoCloseable {
    private static final byte[] NOT_YET =
            ("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nRetry-After: 60\r\n"
                            + "Connection: close\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII);

    private Engine() {}

    static Engine start(Kernel kernel, Live<WeirConfig> live, ServerParts parts, Stats stats, Log log) {
        return new Engine();
    }

    Protocol protocol() {
        return (connection, pipeline) -> pipeline.addLast(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext c, Object message) {
                ReferenceCountUtil.release(message);
                c.writeAndFlush(Unpooled.wrappedBuffer(NOT_YET)).addListener(ChannelFutureListener.CLOSE);
            }
        });
    }

    Facts.Cache cache() {
        return Facts.Cache.OFF;
    }

    List<Facts.Bucket> buckets() {
        return List.of();
    }

    List<Facts.VirtualServer> virtualServers() {
        return List.of();
    }

    @Override
    public void close() {
        // nothing is open yet
    }
}
