package io.weir.kernel.connection;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.kernel.settings.KernelMessages;
import io.weir.kernel.settings.KernelStats;
import java.io.IOException;
import javax.net.ssl.SSLException;

/**
 * The last handler of every connection: counts exceptions that the protocol did not catch, and closes the connection.
 * Shared.
 */
@ChannelHandler.Sharable
final class UncaughtErrors extends ChannelInboundHandlerAdapter {
    private final Stats stats;
    private final Log log;

    UncaughtErrors(Stats stats, Log log) {
        this.stats = stats;
        stats.begin(KernelStats.CONNECTION_ERRORS);
        this.log = log;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        boolean tls = cause instanceof SSLException || cause.getCause() instanceof SSLException;
        boolean outside = tls || cause instanceof IOException;
        stats.counter(KernelStats.CONNECTION_ERRORS, tls ? "tls" : outside ? "socket" : "protocol")
                .inc();
        if (outside) {
            log.log(KernelMessages.SOCKET_ERROR, ctx.channel().remoteAddress(), cause);
        } else {
            ConnectionGuard guard = ctx.pipeline().get(ConnectionGuard.class);
            String listener =
                    guard == null ? "?" : guard.connection().listener().name();
            log.log(KernelMessages.PROTOCOL_ERROR, listener, cause);
        }
        var _ = ctx.close();
    }
}
