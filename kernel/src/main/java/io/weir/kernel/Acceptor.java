package io.weir.kernel;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.weir.base.Counter;
import io.weir.base.Log;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Hands what a listening socket accepts to the intake. Confined to its acceptor's thread. */
final class Acceptor extends ChannelInboundHandlerAdapter {
    /** The seed's pause when descriptors are exhausted: accepting again at once would only spin. */
    static final long PAUSE_MILLIS = 1000;

    private static final long BRAKE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

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
        if (paused) {
            // io_uring goes on failing with auto-read off. This thread is the acceptor's own: nobody else waits.
            LockSupport.parkNanos(BRAKE_NANOS);
            return;
        }
        paused = true;
        pauses.inc();
        log.log(
                isDescriptors(cause) ? KernelMessages.NO_DESCRIPTORS : KernelMessages.ACCEPT_FAILED,
                listener.name(),
                cause.toString());
        ctx.channel().config().setAutoRead(false);
        var _ = ctx.executor().schedule(() -> resume(ctx.channel()), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static boolean isDescriptors(Throwable cause) {
        String text = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
        return text.contains("too many open files") || text.contains("emfile") || text.contains("enfile");
    }

    private void resume(Channel socket) {
        paused = false;
        socket.config().setAutoRead(true);
    }
}
