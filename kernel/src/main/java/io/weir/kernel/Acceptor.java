package io.weir.kernel;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.TimeUnit;

/** Hands what a listening socket accepts to the intake. Confined to its acceptor's thread. */
final class Acceptor extends ChannelInboundHandlerAdapter {
    /** The seed's pause when descriptors are exhausted: accepting again at once would only spin. */
    static final long PAUSE_MILLIS = 1000;

    private final Listener listener;
    private final Intake intake;
    private final AcceptorFaults faults;
    // made before they are needed: when they are, it may not be possible
    private final Channel socket;
    private final Runnable resume = this::resume;
    private boolean paused;

    Acceptor(Listener listener, Intake intake, AcceptorFaults faults, Channel socket) {
        this.listener = listener;
        this.intake = intake;
        this.faults = faults;
        this.socket = socket;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        intake.accepted(listener, (Channel) message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        intake.awaitRoom(listener.waitsCounter());
    }

    /** Accepting failed: most often no descriptor is free. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (paused) {
            // io_uring goes on failing with auto-read off
            faults.brake();
            return;
        }
        faults.count(cause);
        try {
            // first the way back: without it nothing may be switched off
            var _ = ctx.executor().schedule(resume, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (RuntimeException | Error e) {
            faults.count(e);
            faults.brake();
            return;
        }
        paused = true;
        socket.config().setAutoRead(false);
    }

    private void resume() {
        paused = false;
        socket.config().setAutoRead(true);
    }
}
