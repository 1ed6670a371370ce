package io.weir.kernel.listen;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.TimeUnit;

/** Hands what a listening socket accepts over. Confined to its acceptor's thread. */
final class Acceptor extends ChannelInboundHandlerAdapter {
    /** The pause when descriptors are exhausted: accepting again at once would only spin. */
    static final long PAUSE_MILLIS = 1000;

    private final Listener listener;
    private final AcceptedSockets accepted;
    private final AcceptorFaults faults;
    // made before they are needed: when they are, it may not be possible
    private final Channel socket;
    private final Runnable resume = this::resume;
    private boolean paused;

    Acceptor(Listener listener, AcceptedSockets accepted, AcceptorFaults faults, Channel socket) {
        this.listener = listener;
        this.accepted = accepted;
        this.faults = faults;
        this.socket = socket;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        accepted.accepted(listener, (Channel) message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        accepted.awaitRoom(listener.waitsCounter());
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
