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
 * The closing of a connection: its last frame, and the time to wait for the peer. Confined to the connection's loop;
 * one per connection.
 */
final class Closing {
    /** Time that a closing connection waits for the peer to read the last frame and close. */
    static final Duration LINGER = Duration.ofSeconds(1);

    /** Time limit for freeing what a connection held; after it the connection is closed anyway. */
    private static final Duration FREEING = Duration.ofSeconds(30);

    /** Maximum characters of a fault's text that are sent. */
    private static final int LONGEST_TEXT = 1000;

    private final ConnectionEnd connection;
    private final boolean secure;
    private @Nullable Future<?> patience;

    /** @param secure whether a TLS handler is in front */
    Closing(ConnectionEnd connection, boolean secure) {
        this.connection = connection;
        this.secure = secure;
    }

    /** Sends GOODBYE, and waits up to this time for the peer to close. */
    void goodbye(Duration most) {
        // TLS cannot close one direction only: wait for the peer, which closes when it receives GOODBYE
        last(connection.newFrame(WireFrame.GOODBYE.code(), 0, 0), most, secure ? () -> {} : this::endOutput);
    }

    /** Sends ERROR with the fault's code and text. */
    void error(WireFault fault) {
        ByteBuf error = connection.newFrame(WireFrame.ERROR.code(), 0, 64);
        error.writeShort(fault.reason().code());
        String text = fault.text();
        WireWriter.text(error, text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT) : text);
        last(error, LINGER, secure ? this::now : this::endOutput);
    }

    /**
     * Sends a last frame and waits briefly for the peer to close: closing immediately with unread bytes would reset the
     * connection, and the peer might never receive the frame.
     */
    private void last(ByteBuf frame, Duration most, Runnable whenOut) {
        Channel channel = connection.context().channel();
        wait(most);
        connection.out().last(frame, channel.newPromise().addListener(unusedFuture -> whenOut.run()));
    }

    private void wait(Duration most) {
        patience = connection.loop().schedule(this::now, most.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Shuts down the output and leaves the rest to the peer; closes channels that cannot be half-closed. */
    private void endOutput() {
        ChannelHandlerContext ctx = connection.context();
        if (ctx.channel() instanceof DuplexChannel duplex && duplex.isActive()) {
            var unused = duplex.shutdownOutput();
        } else {
            var unused = ctx.close();
        }
    }

    /**
     * The peer leaves: keeps the connection open until {@link #whenFree} or {@link #now}, for at most half a minute.
     */
    void hold() {
        // otherwise the end of input that follows the peer's GOODBYE would close the connection
        connection.context().channel().config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        wait(FREEING);
    }

    /** Closes once what the handler held is free; immediately if there is no handler. */
    void whenFree(@Nullable FrameHandler handler) {
        if (handler == null) {
            now();
        } else {
            handler.whenFree(this::now);
        }
    }

    /** Closes without sending anything further. */
    void now() {
        var unused = connection.context().close();
    }

    /** The connection is closed: cancels the wait. */
    void done() {
        Future<?> p = patience;
        if (p != null) {
            p.cancel(false);
            patience = null;
        }
    }
}
