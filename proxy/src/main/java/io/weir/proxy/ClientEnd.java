package io.weir.proxy;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.weir.http.ProtocolFault;
import io.weir.kernel.Connection;
import io.weir.kernel.SessionState;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What a {@link ClientConnection} is made of, and how its errors are told. Confined to the connection's muxer. */
abstract sealed class ClientEnd extends ChannelInboundHandlerAdapter permits ClientConnection {
    final LoopContext loop;
    final Connection connection;
    final Channel channel;
    final ClientResponse response;
    final Outbox outbox;

    ClientEnd(LoopContext loop, Connection connection) {
        this.loop = loop;
        this.connection = connection;
        this.channel = connection.channel();
        this.outbox = new Outbox(channel);
        this.response = new ClientResponse(loop, channel.alloc(), outbox, false);
    }

    public Connection connection() {
        return connection;
    }

    public SessionState state() {
        return connection.state();
    }

    Channel channel() {
        return channel;
    }

    public ClientResponse response() {
        return response;
    }

    public LoopContext loop() {
        return loop;
    }

    public ByteBufAllocator alloc() {
        return channel.alloc();
    }

    public boolean writable() {
        return channel.isWritable();
    }

    public abstract void close();

    /** The client has ended its side. */
    abstract void inputEnded();

    public void reset() {
        connection.reset();
        close();
    }

    public void crash() {
        connection.close();
    }

    /** Counts why a request is refused, if it is. */
    @Nullable
    ProtocolFault counted(@Nullable ProtocolFault fault) {
        if (fault != null) {
            loop.countFault(fault);
        }
        return fault;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            inputEnded();
        }
        ctx.fireUserEventTriggered(event);
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
