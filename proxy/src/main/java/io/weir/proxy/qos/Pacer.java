package io.weir.proxy.qos;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCountUtil;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends what is written to a connection no faster than its limits permit: the excess is queued here in order, and the
 * channel is not writable until all of it has been sent. No thread waits. Confined to the connection's muxer.
 */
final class Pacer extends ChannelOutboundHandlerAdapter {
    /** Fewer bytes are not worth a system call, unless they are all there is. */
    private static final int LEAST_PIECE = 512;

    /** The bit of Netty's user-defined writability that this handler uses. */
    private static final int WRITABILITY = 7;

    private record Held(Object message, ChannelPromise promise) {
        int bytes() {
            return message instanceof ByteBuf b ? b.readableBytes() : 0;
        }
    }

    private final Channel channel;
    private final Pacing pacing;
    private final Traffic traffic;
    private final ArrayDeque<Held> held = new ArrayDeque<>();
    private List<Bandwidth> buckets = List.of();
    private List<Bandwidth> waitedFor = List.of();
    private @Nullable ChannelHandlerContext context;
    private long bytes;
    private boolean waiting;

    /** @param traffic counts what is sent */
    Pacer(Channel channel, Pacing pacing, Traffic traffic) {
        this.channel = channel;
        this.pacing = pacing;
        this.traffic = traffic;
    }

    /** Sets the limits that apply from now on. */
    void by(List<Bandwidth> limits) {
        buckets = List.copyOf(limits);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        if (held.isEmpty() && buckets.isEmpty()) {
            if (message instanceof ByteBuf b && b.isReadable()) {
                traffic.sent(b.readableBytes());
            }
            var _ = ctx.write(message, promise);
            return;
        }
        Held next = new Held(message, promise);
        bytes += next.bytes();
        held.addLast(next);
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
        if (!waiting) {
            send(ctx);
            if (!held.isEmpty()) {
                pause();
            }
        }
        ctx.flush();
    }

    /** Sends its share in a turn of the pacing; returns whether it must wait further. */
    boolean turn() {
        ChannelHandlerContext ctx = context;
        if (ctx == null || ctx.isRemoved()) {
            drop();
            return false;
        }
        send(ctx);
        ctx.flush();
        if (!held.isEmpty()) {
            return true;
        }
        resume();
        return false;
    }

    private void pause() {
        waiting = true;
        waitedFor = buckets;
        waitedFor.forEach(Bandwidth::beginWait);
        pacing.add(this);
        writable(false);
    }

    private void resume() {
        waiting = false;
        waitedFor.forEach(Bandwidth::endWait);
        waitedFor = List.of();
        writable(true);
    }

    private void writable(boolean on) {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        if (buffer != null) {
            buffer.setUserDefinedWritability(WRITABILITY, on);
        }
    }

    /** Sends what is granted now; messages without bytes are sent with the ones before them. */
    private void send(ChannelHandlerContext ctx) {
        long granted = bytes == 0 ? 0 : granted();
        if (granted > 0) {
            traffic.sent(granted);
        }
        for (Held next = held.peekFirst(); next != null; next = held.peekFirst()) {
            int size = next.bytes();
            if (size <= granted) {
                held.pollFirst();
                granted -= size;
                bytes -= size;
                var _ = ctx.write(next.message(), next.promise());
            } else {
                if (granted > 0 && next.message() instanceof ByteBuf b) {
                    bytes -= granted;
                    var _ = ctx.write(b.readRetainedSlice((int) granted), ctx.voidPromise());
                }
                return;
            }
        }
    }

    /** The bytes that all limits grant. */
    private long granted() {
        long now = pacing.now();
        long want = bytes;
        for (Bandwidth b : buckets) {
            want = Math.min(want, b.share(now, waiting ? 0 : 1));
        }
        if (want < Math.min(bytes, LEAST_PIECE)) {
            return 0;
        }
        for (int i = 0; i < buckets.size(); i++) {
            long got = buckets.get(i).grant(want, now);
            for (int j = 0; j < i; j++) {
                buckets.get(j).refund(want - got);
            }
            want = got;
        }
        return want;
    }

    @Override
    public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
        drop();
        var _ = ctx.close(promise);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        drop();
    }

    /** Discards what is queued: the connection is closed. */
    private void drop() {
        for (Held next = held.pollFirst(); next != null; next = held.pollFirst()) {
            ReferenceCountUtil.release(next.message());
            var _ = next.promise().tryFailure(new ClosedChannelException());
        }
        bytes = 0;
        if (waiting) {
            waiting = false;
            waitedFor.forEach(Bandwidth::endWait);
            waitedFor = List.of();
            pacing.remove(this);
        }
    }
}
