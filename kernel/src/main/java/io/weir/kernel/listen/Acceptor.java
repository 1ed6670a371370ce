package io.weir.kernel.listen;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.TimeUnit;

/** Hands accepted connections over. Confined to its acceptor's thread. */
final class Acceptor extends ChannelInboundHandlerAdapter {
    /** The pause when descriptors are exhausted: accepting again at once would only spin. */
    static final long PAUSE_MILLIS = 1000;

    private final Listener listener;
    private final AcceptedSockets accepted;
    private final AcceptorFaults faults;
    // created up front: when they are needed, allocation may fail
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

    /** Accepting failed, most often because no descriptor is free. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (paused) {
            // io_uring keeps failing with auto-read off
            faults.brake();
            return;
        }
        faults.count(cause);
        try {
            // schedules the resumption first: without it auto-read must not be switched off
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
