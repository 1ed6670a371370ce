package io.weir.proxy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.weir.kernel.Connection;
import java.io.IOException;

/** What a {@link ClientConnection} is made of, and how its errors are told. Confined to the connection's muxer. */
abstract sealed class ClientEnd extends ChannelInboundHandlerAdapter permits ClientConnection {
    final LoopContext loop;
    final Connection connection;
    final Channel channel;
    final ClientResponse response;

    ClientEnd(LoopContext loop, Connection connection) {
        this.loop = loop;
        this.connection = connection;
        this.channel = connection.channel();
        this.response = new ClientResponse(loop, channel);
    }

    Connection connection() {
        return connection;
    }

    Channel channel() {
        return channel;
    }

    ClientResponse response() {
        return response;
    }

    LoopContext loop() {
        return loop;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof IOException) {
            loop.counters().clientErrors.inc();
        } else {
            loop.proxy().unexpected(cause);
        }
        var _ = channel.close();
    }
}
