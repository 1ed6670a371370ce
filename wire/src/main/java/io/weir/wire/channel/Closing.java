package io.weir.wire.channel;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.concurrent.Future;
import io.weir.wire.FrameHandler;
import io.weir.wire.WireFault;
import io.weir.wire.WireFrame;
import io.weir.wire.WireWriter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How a connection ends: its last frame, and how long the peer is then waited for. Confined to the connection's loop;
 * one per connection.
 */
final class Closing {
    /** How long a closing connection waits for the peer to take the last frame and close. */
    static final Duration LINGER = Duration.ofSeconds(1);

    /** The longest that what a connection held may take to be freed before the connection ends all the same. */
    private static final Duration FREEING = Duration.ofSeconds(30);

    /** Characters of a fault's text that are sent. */
    private static final int LONGEST_TEXT = 1000;

    private final ConnectionEnd connection;
    private final boolean secure;
    private @Nullable Future<?> patience;

    /** @param secure whether a TLS handler is in front */
    Closing(ConnectionEnd connection, boolean secure) {
        this.connection = connection;
        this.secure = secure;
    }

    /** Says GOODBYE, and waits this long for the peer to close. */
    void goodbye(Duration most) {
        // under TLS there is no end of one direction alone: the peer, which closes at GOODBYE, is waited for
        last(connection.newFrame(WireFrame.GOODBYE.code(), 0, 0), most, secure ? () -> {} : this::endOutput);
    }

    /** Says ERROR, with the fault's code and text. */
    void error(WireFault fault) {
        ByteBuf error = connection.newFrame(WireFrame.ERROR.code(), 0, 64);
        error.writeShort(fault.reason().code());
        String text = fault.text();
        WireWriter.text(error, text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT) : text);
        last(error, LINGER, secure ? this::now : this::endOutput);
    }

    /**
     * Sends a last frame and waits a moment for the peer to close: closing at once with bytes unread would reset the
     * connection, and the peer might never see the frame.
     */
    private void last(ByteBuf frame, Duration most, Runnable whenOut) {
        Channel channel = connection.context().channel();
        wait(most);
        connection.out().last(frame, channel.newPromise().addListener(_ -> whenOut.run()));
    }

    private void wait(Duration most) {
        patience = connection.loop().schedule(this::now, most.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Ends our direction and leaves the rest to the peer; on channels without directions, closes. */
    private void endOutput() {
        ChannelHandlerContext ctx = connection.context();
        if (ctx.channel() instanceof DuplexChannel duplex && duplex.isActive()) {
            var _ = duplex.shutdownOutput();
        } else {
            var _ = ctx.close();
        }
    }

    /** The peer leaves: keeps the connection until {@link #whenFree} or {@link #now}, for half a minute at most. */
    void hold() {
        // else the end of the peer's direction, which follows its GOODBYE, would close the connection
        connection.context().channel().config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        wait(FREEING);
    }

    /** Closes when what the handler held is free; at once without one. */
    void whenFree(@Nullable FrameHandler handler) {
        if (handler == null) {
            now();
        } else {
            handler.whenFree(this::now);
        }
    }

    /** Closes without another word. */
    void now() {
        var _ = connection.context().close();
    }

    /** The connection is closed: stops waiting. */
    void done() {
        Future<?> p = patience;
        if (p != null) {
            p.cancel(false);
            patience = null;
        }
    }
}
