package io.weir.wire.channel;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.concurrent.Future;
import io.weir.base.Log;
import io.weir.wire.FrameHandler;
import io.weir.wire.LostConnection;
import io.weir.wire.WireConnection;
import io.weir.wire.WireFault;
import io.weir.wire.WireFault.Reason;
import io.weir.wire.WireFrame;
import io.weir.wire.WireMessages;
import io.weir.wire.WireReader;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One connection, at either end: the last handler of its channel's pipeline. Confined to its loop, except for what
 * {@link WireConnection} allows from any thread. Lives from the channel's start to its end.
 */
public final class WireChannel extends ConnectionEnd implements FrameDecoder.Sink, Outbound.Watcher, Heartbeat.Pulse {
    private enum State {
        HANDSHAKE,
        OPEN,
        CLOSING,
        CLOSED
    }

    /**
     * What all connections of one end share.
     *
     * @param marks for the pending outbound bytes
     * @param secure whether a TLS handler is in front
     */
    public record Parts(OutboundMarks marks, WireCounters stats, Log log, boolean secure) {}

    private final Parts parts;
    private final Handshake handshake;
    /** The fault for which it must be closed, possibly set before it is in a pipeline. */
    private volatile @Nullable WireFault ending;

    private final FrameDecoder decoder = new FrameDecoder(this);
    private final Closing closing;
    private volatile State state = State.HANDSHAKE;
    private @Nullable FrameHandler handler;
    private @Nullable Heartbeat heartbeat;
    private @Nullable NamingFrames naming;
    private @Nullable Future<?> deadline;
    private boolean handshakeNotified;
    private @Nullable Throwable cause;
    private long framesRead;
    private boolean begun;
    private boolean closeNotified;
    /** The peer sent GOODBYE, and what the connection held is being freed. */
    private boolean leaving;

    /** Creates a connection that is not in a pipeline yet, with its end's handshake. */
    public WireChannel(Parts parts, Handshake handshake) {
        this.parts = parts;
        this.handshake = handshake;
        this.closing = new Closing(this, parts.secure);
    }

    // The channel's life

    @Override
    public void handlerAdded(ChannelHandlerContext c) {
        attach(c, new Outbound(c, parts.marks, parts.stats, this));
        c.channel().config().setWriteBufferWaterMark(new WriteBufferWaterMark((int) parts.marks.low(), (int)
                Math.min(parts.marks.high(), Integer.MAX_VALUE)));
        if (c.channel().isActive()) {
            begin();
        }
        WireFault fault = ending;
        if (fault != null) {
            close(fault);
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext c) {
        begin();
        c.fireChannelActive();
    }

    /** Runs once: a handler added while the channel becomes active gets that event twice. */
    private void begin() {
        if (!begun) {
            begun = true;
            handshake.begin(this);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext c) {
        ended();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext c) {
        ended();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext c, Throwable t) {
        if (cause == null) {
            cause = t;
        }
        var unused = c.close();
    }

    private void ended() {
        if (state == State.CLOSED) {
            return;
        }
        boolean clean = state == State.CLOSING;
        boolean wasOpen = handler != null;
        state = State.CLOSED;
        cancelTimers();
        closing.done();
        decoder.close();
        out().close();
        if (!clean) {
            parts.stats.lost.inc();
            cause = cause == null ? new LostConnection("the connection was closed by the peer") : cause;
        }
        if (wasOpen) {
            notifyClosed();
        } else {
            handshakeEnded();
        }
    }

    /**
     * Ends the handshake early, so that its resources are free at once: a refused client that lingers must not lock
     * others out.
     */
    private void handshakeEnded() {
        if (!handshakeNotified) {
            handshakeNotified = true;
            handshake.ended(cause == null ? new LostConnection("the connection was closed") : cause);
        }
    }

    private void notifyClosed() {
        FrameHandler h = handler;
        try {
            if (h != null && !closeNotified) {
                closeNotified = true;
                h.closed(cause);
            }
        } catch (RuntimeException e) {
            uncaught(e);
        }
    }

    private void cancelTimers() {
        Heartbeat h = heartbeat;
        if (h != null) {
            h.stop();
        }
        Future<?> d = deadline;
        if (d != null) {
            d.cancel(false);
            deadline = null;
        }
    }

    // Reading

    @Override
    public void channelRead(ChannelHandlerContext c, Object message) {
        ByteBuf in = (ByteBuf) message;
        if (stopped()) {
            in.release();
            return;
        }
        parts.stats.bytesRead.add(in.readableBytes());
        Heartbeat h = heartbeat;
        if (h != null) {
            h.heard();
        }
        out().readBegan();
        try {
            decoder.read(in, c.alloc());
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext c) {
        FrameHandler h = handler;
        if (h != null && state == State.OPEN) {
            guarded(h, FrameHandler::readComplete);
        }
        parts.stats.framesRead.add(framesRead);
        framesRead = 0;
        out().readEnded();
        c.fireChannelReadComplete();
    }

    @Override
    public int maxFrame() {
        return state == State.HANDSHAKE ? handshake.maxFrame() : agreed().maxFrame();
    }

    @Override
    public boolean stopped() {
        return state == State.CLOSING || state == State.CLOSED;
    }

    @Override
    public void frame(int type, int stream, ByteBuf payload) {
        framesRead++;
        FrameHandler h = handler;
        if (type > WireFrame.LAST_OF_NAMING && h != null && state == State.OPEN) {
            h.frame(type, stream, payload);
        } else {
            rare(type, stream, payload);
        }
    }

    private void rare(int type, int stream, ByteBuf payload) {
        WireFrame frame = WireFrame.of(type);
        FrameHandler h = handler;
        if (frame == WireFrame.ERROR) {
            peerFault(payload);
        } else if (h == null) {
            early(type, frame, payload);
        } else if (type >= WireFrame.FIRST_OF_NAMING) {
            NamingFrames n = naming;
            if (n == null || !n.frame(this, frame, stream, payload)) {
                h.frame(type, stream, payload);
            }
        } else if (frame == null) {
            throw new WireFault(Reason.UNKNOWN_TYPE, "unknown frame type 0x" + Integer.toHexString(type));
        } else {
            later(frame, payload);
        }
    }

    private void early(int type, @Nullable WireFrame frame, ByteBuf payload) {
        if (frame == null || type >= WireFrame.FIRST_OF_SERVICES) {
            throw new WireFault(
                    Reason.WRONG_STATE, "a frame of type 0x" + Integer.toHexString(type) + " before the login");
        }
        handshake.frame(this, frame, payload);
    }

    private void later(WireFrame frame, ByteBuf payload) {
        switch (frame) {
            case PING -> sendPong(WireReader.i64(payload));
            case PONG -> WireReader.i64(payload);
            case GOODBYE -> peerLeaves();
            default -> throw new WireFault(Reason.WRONG_STATE, frame + " after the login");
        }
    }

    private void sendPong(long token) {
        ByteBuf pong = newFrame(WireFrame.PONG.code(), 0, Long.BYTES);
        pong.writeLong(token);
        send(pong);
    }

    /** Frees what the connection held before closing it: the peer interprets the close as confirmation. */
    private void peerLeaves() {
        leaving = true;
        stop(null);
        out().close();
        closing.hold();
        notifyClosed();
        try {
            closing.whenFree(handler);
        } catch (RuntimeException e) {
            uncaught(e);
            closing.now();
        }
    }

    private void peerFault(ByteBuf payload) {
        Reason reason = Reason.of(WireReader.u16(payload));
        String text = WireReader.text(payload, Opened.MAX_BEFORE_LOGIN);
        stop(WireFault.ofPeer(reason, text));
        closing.now();
    }

    // The handshake's part

    /**
     * Starts the deadline of the whole handshake, in nanoseconds from now: the connection then fails. Call on the loop.
     */
    public void deadline(long nanos) {
        deadline = loop().schedule(
                        () -> fail(new WireFault(
                                Reason.HANDSHAKE_TIME_OUT,
                                "no login within " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms")),
                        nanos,
                        TimeUnit.NANOSECONDS);
    }

    /**
     * Sets the handler of naming frames; null, as at the client, if the frame handler receives them. Call on the loop.
     */
    public void naming(@Nullable NamingFrames answers) {
        naming = answers;
    }

    /** Completes the handshake: from now on frames go to the handler. Call on the loop. */
    public void open(Opened o, FrameHandler h) {
        cancelTimers();
        deadline = null;
        agreed(o);
        handler = h;
        state = State.OPEN;
        parts.stats.opened.inc();
        Heartbeat beat = new Heartbeat(loop(), this, o.heartbeatNanos(), o.heartbeatsMissed());
        heartbeat = beat;
        beat.start();
    }

    /** Whether it is neither open nor closing yet. */
    public boolean inHandshake() {
        return state == State.HANDSHAKE;
    }

    // Heartbeats

    @Override
    public void ping() {
        ByteBuf ping = newFrame(WireFrame.PING.code(), 0, Long.BYTES);
        ping.writeLong(id());
        send(ping);
        // a ping does not count as sent: the next interval needs another one
        var unused = out().sentSomething();
    }

    @Override
    public boolean sentSomething() {
        return out().sentSomething();
    }

    @Override
    public void silent(int intervals) {
        long millis = TimeUnit.NANOSECONDS.toMillis(agreed().heartbeatNanos() * intervals);
        fail(new WireFault(Reason.SILENT, "nothing was received for " + millis + " ms"));
    }

    @Override
    public void reading(boolean on) {
        onLoop(() -> {
            Heartbeat h = heartbeat;
            if (h != null) {
                h.paused(!on);
            }
            context().channel().config().setAutoRead(on);
        });
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext c) {
        out().socketWritable();
        c.fireChannelWritabilityChanged();
    }

    @Override
    public void writable(boolean now) {
        FrameHandler h = handler;
        if (h != null && state == State.OPEN) {
            out().readBegan();
            guarded(h, watcher -> watcher.writable(now));
            out().readEnded();
        }
    }

    @Override
    public void overflowed(long pending) {
        if (!stopped()) {
            WireFault fault = new WireFault(
                    Reason.SLOW_READER,
                    pending + " bytes wait to be sent, allowed are " + parts.marks.limit()
                            + ": the peer does not read");
            count(fault);
            stop(fault);
            closing.now();
        }
    }

    private void guarded(FrameHandler h, Consumer<FrameHandler> call) {
        try {
            call.accept(h);
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    // Closing

    @Override
    public void close() {
        close(Closing.LINGER);
    }

    @Override
    public void close(Duration patience) {
        onLoop(() -> {
            if (!stopped()) {
                stop(null);
                closing.goodbye(patience);
            }
        });
    }

    @Override
    public void close(WireFault fault) {
        ending = fault;
        if (!attached()) {
            // being installed just now: it closes once it is installed
            return;
        }
        onLoop(() -> {
            if (leaving) {
                closing.now();
            } else {
                fail(fault);
            }
        });
    }

    /**
     * Closes the connection because of a fault, which is counted and sent to the peer; does nothing if it is already
     * closing. Call on the loop.
     */
    public void fail(WireFault fault) {
        if (stopped()) {
            return;
        }
        count(fault);
        stop(fault);
        closing.error(fault);
    }

    private void count(WireFault fault) {
        parts.stats.fault(fault.reason());
        parts.log.log(
                WireMessages.FAULT, remote().getHostString(), fault.reason().label(), fault.text());
    }

    /** Stops reading; the channel is still open. */
    private void stop(@Nullable Throwable why) {
        state = State.CLOSING;
        cause = why;
        cancelTimers();
        if (handler == null) {
            handshakeEnded();
        }
    }

    /** Closes the connection after an exception of a handler or a frame. */
    private void failed(RuntimeException e) {
        if (e instanceof WireFault fault) {
            fail(fault);
        } else {
            uncaught(e);
            fail(new WireFault(Reason.INTERNAL, "an internal error of this end; see its log", e));
        }
    }

    private void uncaught(RuntimeException e) {
        parts.stats.uncaught.inc();
        parts.log.log(WireMessages.UNCAUGHT, remote(), e);
    }

    private void onLoop(Runnable action) {
        if (loop().inEventLoop()) {
            action.run();
        } else {
            loop().execute(action);
        }
    }

    @Override
    public boolean isOpen() {
        return state == State.OPEN;
    }
}
