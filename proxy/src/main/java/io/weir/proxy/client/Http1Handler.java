package io.weir.proxy.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.weir.http.ProtocolFault;
import io.weir.kernel.connection.Connection;
import io.weir.kernel.connection.SessionState;
import io.weir.proxy.context.Buffers;
import io.weir.proxy.context.LoopContext;
import io.weir.proxy.exchange.ClientResponse;
import io.weir.proxy.exchange.Exchanges;
import io.weir.proxy.qos.Traffic;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The components of a {@link Http1Connection}, and its error handling. Confined to the connection's muxer. */
abstract sealed class Http1Handler extends ChannelInboundHandlerAdapter permits Http1Connection {
    final Exchanges exchanges;
    public final LoopContext loop;
    final Connection connection;
    final ClientResponse response;
    final Outbox outbox;
    /** Bytes read but not decoded yet. */
    @Nullable
    ByteBuf unread;

    boolean inputClosed;

    Http1Handler(Exchanges exchanges, Connection connection) {
        this.exchanges = exchanges;
        this.loop = exchanges.loop();
        this.connection = connection;
        this.outbox = new Outbox(connection.channel());
        this.response = new ClientResponse(loop, connection.channel().alloc(), outbox, false);
    }

    public Connection connection() {
        return connection;
    }

    public SessionState state() {
        return connection.state();
    }

    /** Not a field: it would make an idle connection's object one word larger (IdleMemoryTest). */
    final Channel channel() {
        return connection.channel();
    }

    public ClientResponse response() {
        return response;
    }

    public LoopContext loop() {
        return loop;
    }

    public ByteBufAllocator alloc() {
        return channel().alloc();
    }

    /** Whether the client has half-closed. */
    public final boolean inputClosed() {
        return inputClosed;
    }

    /** Appends received bytes to those not decoded yet; taken over. */
    final void append(ByteBuf bytes) {
        ByteBuf before = unread;
        unread = before == null ? bytes : Buffers.join(alloc(), before, bytes);
    }

    /** Whether there is something to decode. */
    final boolean hasUnread() {
        ByteBuf in = unread;
        return in != null && in.isReadable();
    }

    /** Releases a buffer that is read completely. */
    final void trimUnread() {
        if (!hasUnread()) {
            dropUnread();
        }
    }

    /** Releases the undecoded bytes. */
    final void dropUnread() {
        if (unread != null) {
            unread.release();
            unread = null;
        }
    }

    public boolean writable() {
        return channel().isWritable();
    }

    /** What is paced, or counted for limits of traffic, passes through the channel. */
    public int socket() {
        return Traffic.paces(channel()) ? -1 : connection.socket();
    }

    public abstract void close();

    /** The client has half-closed. */
    abstract void inputEnded();

    public void reset() {
        connection.reset();
        close();
    }

    public void crash() {
        connection.close();
    }

    /**
     * A client that does not read its answers gets no further ones; otherwise pipelined requests would fill the memory.
     */
    boolean acceptsAnswers() {
        if (!channel().isWritable()) {
            channel().flush();
        }
        return channel().isWritable();
    }

    /** Counts the fault, if there is one. */
    @Nullable
    ProtocolFault counted(@Nullable ProtocolFault fault) {
        if (fault != null) {
            loop.counters().fault(fault.reason());
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
        var _ = channel().close();
    }
}
