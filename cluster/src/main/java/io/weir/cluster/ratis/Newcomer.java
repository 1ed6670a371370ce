package io.weir.cluster.ratis;

import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLException;
import org.apache.ratis.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelHandlerContext;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.NotSslRecordException;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslHandler;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslHandshakeTimeoutException;
import org.apache.ratis.thirdparty.io.netty.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a member's log until its peer is authenticated: limited in bytes and time, then closed. Confined to
 * the connection's loop.
 */
final class Newcomer extends ChannelInboundHandlerAdapter {
    private final LogDoor.Bounds bounds;
    private final Strangers strangers;
    private final Runnable place;
    private final AtomicBoolean given = new AtomicBoolean();
    private int bytes;
    private boolean watched;
    private boolean in;
    private boolean refused;
    private @Nullable Future<?> deadline;

    /** @param place runs once, when its slot can be reused: it is authenticated, or closed */
    Newcomer(LogDoor.Bounds bounds, Strangers strangers, Runnable place) {
        this.bounds = bounds;
        this.strangers = strangers;
        this.place = place;
    }

    /** Frees its slot: it is authenticated, or closed. On any thread. */
    void makeRoom() {
        if (given.compareAndSet(false, true)) {
            place.run();
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) throws Exception {
        deadline = ctx.executor().schedule(() -> refuse(ctx, Stranger.SILENT), bounds.nanos(), TimeUnit.NANOSECONDS);
        super.channelActive(ctx);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        if (refused) {
            ((ByteBuf) message).release();
            return;
        }
        bytes += ((ByteBuf) message).readableBytes();
        if (bytes > bounds.bytes()) {
            ((ByteBuf) message).release();
            refuse(ctx, Stranger.TOO_LONG);
            return;
        }
        SslHandler tls = watched ? null : ctx.pipeline().get(SslHandler.class);
        if (tls != null) {
            watched = true;
            var _ = tls.handshakeFuture().addListener(f -> handshakeDone(ctx, f.cause()));
        }
        super.channelRead(ctx, message);
    }

    private void handshakeDone(ChannelHandlerContext ctx, @Nullable Throwable failure) {
        if (failure == null) {
            in = true;
            cancel();
            ctx.pipeline().remove(this);
            makeRoom();
        } else {
            refuse(ctx, why(failure));
        }
    }

    private static Stranger why(Throwable failure) {
        Stranger known = StrangerFault.in(failure);
        if (known != null) {
            return known;
        }
        return switch (failure) {
            case NotSslRecordException _ -> Stranger.PLAIN;
            case SslHandshakeTimeoutException _ -> Stranger.SILENT;
            case ClosedChannelException _ -> Stranger.LEFT;
            case SSLException e
            when String.valueOf(e.getMessage()).contains("Empty client certificate chain") -> Stranger.NO_PROOF;
            case SSLException e
            when String.valueOf(e.getMessage()).contains("Received fatal alert") -> Stranger.DECLINED;
            default -> Stranger.HANDSHAKE;
        };
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) throws Exception {
        if (!watched && !refused) {
            refuse(ctx, Stranger.LEFT);
        }
        super.channelInactive(ctx);
    }

    private void refuse(ChannelHandlerContext ctx, Stranger why) {
        if (refused || in) {
            return;
        }
        refused = true;
        cancel();
        strangers.refused(why, ctx.channel().remoteAddress());
        var _ = ctx.close();
    }

    private void cancel() {
        Future<?> d = deadline;
        if (d != null) {
            d.cancel(false);
        }
    }
}
