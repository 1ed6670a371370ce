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
final class UnauthenticatedPeer extends ChannelInboundHandlerAdapter {
    private final LogServerChannel.Bounds bounds;
    private final RefusedPeers refusedPeers;
    private final Runnable place;
    private final AtomicBoolean given = new AtomicBoolean();
    private int bytes;
    private boolean watched;
    private boolean in;
    private boolean refused;
    private @Nullable Future<?> deadline;

    /** @param place runs once, when its slot can be reused: it is authenticated, or closed */
    UnauthenticatedPeer(LogServerChannel.Bounds bounds, RefusedPeers refusedPeers, Runnable place) {
        this.bounds = bounds;
        this.refusedPeers = refusedPeers;
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
        deadline = ctx.executor().schedule(() -> refuse(ctx, PeerRefusal.SILENT), bounds.nanos(), TimeUnit.NANOSECONDS);
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
            refuse(ctx, PeerRefusal.TOO_LONG);
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

    private static PeerRefusal why(Throwable failure) {
        PeerRefusal known = UntrustedPeerFault.in(failure);
        if (known != null) {
            return known;
        }
        return switch (failure) {
            case NotSslRecordException _ -> PeerRefusal.PLAIN;
            case SslHandshakeTimeoutException _ -> PeerRefusal.SILENT;
            case ClosedChannelException _ -> PeerRefusal.LEFT;
            case SSLException e
            when String.valueOf(e.getMessage()).contains("Empty client certificate chain") -> PeerRefusal.NO_PROOF;
            case SSLException e
            when String.valueOf(e.getMessage()).contains("Received fatal alert") -> PeerRefusal.DECLINED;
            default -> PeerRefusal.HANDSHAKE;
        };
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) throws Exception {
        if (!watched && !refused) {
            refuse(ctx, PeerRefusal.LEFT);
        }
        super.channelInactive(ctx);
    }

    private void refuse(ChannelHandlerContext ctx, PeerRefusal why) {
        if (refused || in) {
            return;
        }
        refused = true;
        cancel();
        refusedPeers.refused(why, ctx.channel().remoteAddress());
        var _ = ctx.close();
    }

    private void cancel() {
        Future<?> d = deadline;
        if (d != null) {
            d.cancel(false);
        }
    }
}
