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
 * Sends what is written to a connection no faster than its limits grant: what they do not waits here, in order, and the
 * channel is not writable until all of it has left. No thread waits. Confined to the connection's muxer.
 */
final class Pacer extends ChannelOutboundHandlerAdapter {
    /** Less than this is not worth a system call, unless it is all there is. */
    private static final int LEAST_PIECE = 512;

    /** One of Netty's bits by which handlers say that a channel is not writable. */
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

    /** Which limits bind from now on. */
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

    /** The pacing's turn; whether there is more to wait for. */
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
        waitedFor.forEach(Bandwidth::waits);
        pacing.add(this);
        writable(false);
    }

    private void resume() {
        waiting = false;
        waitedFor.forEach(Bandwidth::waitsNoMore);
        waitedFor = List.of();
        writable(true);
    }

    private void writable(boolean on) {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        if (buffer != null) {
            buffer.setUserDefinedWritability(WRITABILITY, on);
        }
    }

    /** Sends what is granted now; what has no bytes goes with what is before it. */
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

    /** What all limits grant. */
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

    /** What waits is not sent any more: the connection is gone. */
    private void drop() {
        for (Held next = held.pollFirst(); next != null; next = held.pollFirst()) {
            ReferenceCountUtil.release(next.message());
            var _ = next.promise().tryFailure(new ClosedChannelException());
        }
        bytes = 0;
        if (waiting) {
            waiting = false;
            waitedFor.forEach(Bandwidth::waitsNoMore);
            waitedFor = List.of();
            pacing.remove(this);
        }
    }
}
