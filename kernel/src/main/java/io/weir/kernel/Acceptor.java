package io.weir.kernel;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.weir.base.Counter;
import io.weir.base.Log;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Hands what a listening socket accepts to the intake. Confined to its acceptor's thread. */
final class Acceptor extends ChannelInboundHandlerAdapter {
    /** The seed's pause when descriptors are exhausted: accepting again at once would only spin. */
    static final long PAUSE_MILLIS = 1000;

    private final Listener listener;
    private final Intake intake;
    private final Log log;
    private final Counter pauses;
    private boolean paused;

    Acceptor(Listener listener, Intake intake, Log log) {
        this.listener = listener;
        this.intake = intake;
        this.log = log;
        this.pauses = listener.kernel().stats().counter(KernelStats.ACCEPT_PAUSES, listener.name());
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        intake.accepted(listener, (Channel) message);
    }

    /** Accepting failed: most often no descriptor is free. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        String text = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
        boolean descriptors =
                text.contains("too many open files") || text.contains("emfile") || text.contains("enfile");
        log.log(
                descriptors ? KernelMessages.NO_DESCRIPTORS : KernelMessages.ACCEPT_FAILED,
                listener.name(),
                cause.toString());
        if (!paused) {
            paused = true;
            pauses.inc();
            ctx.channel().config().setAutoRead(false);
            var _ = ctx.executor().schedule(() -> resume(ctx.channel()), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void resume(Channel socket) {
        paused = false;
        socket.config().setAutoRead(true);
    }
}
