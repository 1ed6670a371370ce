package io.weir.wire.channel;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.util.internal.PlatformDependent;
import io.weir.wire.WireFrame;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The sending side of one connection. Small frames are copied into one buffer that is written to the socket once per
 * read or task of the loop; large ones are written without copying. Other threads enqueue their frames and wake the
 * loop once. The pending bytes are counted: above the high mark the connection is not writable, above the limit it is
 * closed. Confined to the loop, except for {@link #send}, {@link #isWritable} and {@link #pending}.
 */
final class Outbound {
    /** Frames up to this size are copied: about where copying costs as much as an entry in the socket's queue. */
    static final int COPY = 2048;

    /** Size of the buffer that is kept for the next small frame. */
    private static final int SPARE = 128;

    private static final int LEAST_BATCH = 256;
    private static final int MOST_BATCH = 32 * 1024;
    /** Divisor by which the expected batch size decays per batch. */
    private static final int DECAY = 8;

    private static final int DRAIN_AT_ONCE = 1024;

    /** Callbacks. Called on the loop, never from within {@link #send}. */
    interface Watcher {
        void writable(boolean now);

        /** More bytes are pending than allowed. */
        void overflowed(long pending);
    }

    /** A frame from another thread that ends in shared bytes. */
    private record Pair(ByteBuf frame, ByteBuf shared) {}

    private final ChannelHandlerContext ctx;
    private final OutboundMarks marks;
    private final WireCounters stats;
    private final Watcher watcher;
    private final Queue<Object> inbox = PlatformDependent.newMpscQueue();
    private final AtomicBoolean draining = new AtomicBoolean();
    private final AtomicLong queued = new AtomicLong();
    private final Runnable drain = this::drain;
    private final Runnable flushSoon = this::flushNow;
    private final Runnable notifyWatcher = this::notifyWatcher;
    private volatile boolean writable = true;
    private volatile boolean closed;
    private @Nullable ByteBuf batch;
    private @Nullable ByteBuf spare;
    private int expected = LEAST_BATCH;
    private boolean inRead;
    private boolean flushing;
    private boolean notifying;
    private boolean notified = true;
    private boolean resumed;
    private boolean overflowing;
    private boolean unflushed;
    private boolean sent;
    private long frames;

    Outbound(ChannelHandlerContext ctx, OutboundMarks marks, WireCounters stats, Watcher watcher) {
        this.ctx = ctx;
        this.marks = marks;
        this.stats = stats;
        this.watcher = watcher;
    }

    /**
     * Sends a frame, which it takes over, followed by shared bytes, which it retains; sets the frame's length. Callable
     * from any thread.
     */
    void send(ByteBuf frame, @Nullable ByteBuf shared) {
        if (shared != null && isBatch(frame)) {
            end(frame, shared);
            return;
        }
        int more = shared == null ? 0 : shared.readableBytes();
        frame.setInt(frame.readerIndex(), frame.readableBytes() - WireFrame.LENGTH + more);
        if (ctx.executor().inEventLoop()) {
            append(frame, shared);
            if (!inRead) {
                flushSoon();
            }
            return;
        }
        if (closed) {
            frame.release();
            return;
        }
        handOver(frame, shared, frame.readableBytes() + more);
    }

    private void handOver(ByteBuf frame, @Nullable ByteBuf shared, int bytes) {
        inbox.add(shared == null ? frame : new Pair(frame, shared.retainedSlice()));
        if (queued.addAndGet(bytes) > marks.high()) {
            writable = false;
        }
        if (draining.compareAndSet(false, true)) {
            wake();
        }
    }

    private void wake() {
        try {
            ctx.executor().execute(drain);
        } catch (RejectedExecutionException e) {
            // The loop has terminated and the connection with it: no other thread polls any more.
            closed = true;
            drainAll();
        }
    }

    private void drain() {
        for (int i = 0; i < DRAIN_AT_ONCE; i++) {
            Object next = inbox.poll();
            if (next == null) {
                draining.set(false);
                if (inbox.isEmpty() || !draining.compareAndSet(false, true)) {
                    flushNow();
                    return;
                }
            } else if (next instanceof Pair pair) {
                queued.addAndGet(-pair.frame.readableBytes() - pair.shared.readableBytes());
                append(pair.frame, pair.shared);
                pair.shared.release();
            } else {
                ByteBuf frame = (ByteBuf) next;
                queued.addAndGet(-frame.readableBytes());
                append(frame, null);
            }
        }
        flushNow();
        ctx.executor().execute(drain);
    }

    /**
     * An empty buffer for a frame. On the loop it is usually the one copied last, so that small frames need no
     * allocation.
     */
    ByteBuf frame(int bytes) {
        if (bytes <= SPARE && ctx.executor().inEventLoop()) {
            ByteBuf s = spare;
            if (s != null) {
                spare = null;
                return s.clear();
            }
            return ctx.alloc().directBuffer(SPARE);
        }
        return ctx.alloc().directBuffer(bytes);
    }

    /**
     * The batch, with room for a small frame that ends in shared bytes, so that its head is written in place; {@link #send}
     * with the same bytes ends it. Null if the frame cannot be written there.
     */
    @Nullable
    ByteBuf frame(int bytes, ByteBuf shared) {
        int size = WireFrame.HEAD + bytes + shared.readableBytes();
        if (size > COPY || closed || !ctx.executor().inEventLoop()) {
            return null;
        }
        ByteBuf to = room(size);
        // now: memory that runs out later would leave a part of a frame in the batch
        return to.ensureWritable(size);
    }

    /** Whether it is the batch itself. */
    // buffers with the same bytes are equal
    @SuppressWarnings("ReferenceEquality")
    private boolean isBatch(ByteBuf frame) {
        return ctx.executor().inEventLoop() && frame == batch;
    }

    /** Ends a frame whose head was written into the batch. */
    private void end(ByteBuf batched, ByteBuf shared) {
        frames++;
        sent = true;
        copy(shared, batched);
        if (!inRead) {
            flushSoon();
        }
    }

    /** Keeps the buffer of a copied frame for the next one. */
    private void copied(ByteBuf frame) {
        if (spare == null && !closed && frame.refCnt() == 1 && frame.capacity() <= SPARE) {
            spare = frame;
        } else {
            frame.release();
        }
    }

    private void append(ByteBuf frame, @Nullable ByteBuf shared) {
        if (closed) {
            frame.release();
            return;
        }
        frames++;
        sent = true;
        int size = frame.readableBytes() + (shared == null ? 0 : shared.readableBytes());
        if (size <= COPY) {
            ByteBuf to = room(size);
            copy(frame, to);
            if (shared != null) {
                copy(shared, to);
            }
            copied(frame);
        } else {
            push();
            write(frame);
            if (shared != null) {
                write(shared.retainedSlice());
            }
        }
    }

    private static void copy(ByteBuf from, ByteBuf to) {
        to.writeBytes(from, from.readerIndex(), from.readableBytes());
    }

    private ByteBuf room(int size) {
        ByteBuf b = batch;
        if (b != null && b.readableBytes() + size > MOST_BATCH) {
            push();
            b = null;
        }
        if (b == null) {
            b = ctx.alloc().directBuffer(Math.max(expected, size), MOST_BATCH);
            batch = b;
        }
        return b;
    }

    /** Writes the batch to the socket's queue. */
    private void push() {
        ByteBuf b = batch;
        if (b != null) {
            batch = null;
            // decays slowly: a buffer that is too small is copied each time that it grows
            int now = (int) Math.max(LEAST_BATCH, Math.min(Integer.highestOneBit(b.readableBytes()) * 2L, MOST_BATCH));
            expected = Math.max(now, expected - expected / DECAY);
            write(b);
        }
    }

    private void write(ByteBuf bytes) {
        stats.bytesSent.add(bytes.readableBytes());
        unflushed = true;
        var unused = ctx.write(bytes, ctx.voidPromise());
        measure();
    }

    /** A read began: frames sent until its end are flushed together. */
    void readBegan() {
        inRead = true;
    }

    /** The read is over. */
    void readEnded() {
        inRead = false;
        flushNow();
    }

    /** Flushes at the end of the loop's current task. */
    private void flushSoon() {
        if (!flushing) {
            flushing = true;
            ctx.executor().execute(flushSoon);
        }
    }

    /** Flushes what was appended; while the socket is not writable the batch stays, so that it can be filled. */
    void flushNow() {
        flushing = false;
        if (closed) {
            return;
        }
        if (ctx.channel().isWritable()) {
            push();
        }
        if (unflushed) {
            unflushed = false;
            stats.flushes.inc();
            stats.framesSent.add(frames);
            frames = 0;
            ctx.flush();
        }
        measure();
    }

    /** The socket's queue crossed a water mark. */
    void socketWritable() {
        if (ctx.channel().isWritable()) {
            flushSoon();
        }
        measure();
    }

    /** Compares the pending bytes with the marks. */
    private void measure() {
        long pending = pending();
        if (pending > marks.limit() && !overflowing) {
            overflowing = true;
            ctx.executor().execute(() -> watcher.overflowed(pending()));
        }
        boolean was = writable;
        boolean now = was ? pending <= marks.high() : pending < marks.low();
        if (now != was) {
            writable = now;
            resumed |= now;
        }
        if ((now != notified || resumed) && !notifying) {
            notifying = true;
            ctx.executor().execute(notifyWatcher);
        }
    }

    /**
     * Notifies the watcher; also if the state is as last notified but another thread may have seen the connection
     * unwritable in between.
     */
    private void notifyWatcher() {
        notifying = false;
        boolean now = writable;
        if ((now != notified || resumed) && !closed) {
            notified = now;
            resumed = false;
            if (!now) {
                stats.writability.inc();
            }
            watcher.writable(now);
        }
    }

    /** Whether a frame was sent since the last call. */
    boolean sentSomething() {
        boolean s = sent;
        sent = false;
        return s;
    }

    boolean isWritable() {
        return writable && !closed;
    }

    /** The pending bytes, approximately. */
    long pending() {
        ChannelOutboundBuffer socket = ctx.channel().unsafe().outboundBuffer();
        ByteBuf b = batch;
        return queued.get()
                + (b == null ? 0 : b.readableBytes())
                + (socket == null ? 0 : socket.totalPendingWriteBytes());
    }

    /** Sends a last frame after all others, and nothing afterwards; the promise completes when it is written. */
    void last(ByteBuf frame, ChannelPromise promise) {
        frame.setInt(frame.readerIndex(), frame.readableBytes() - WireFrame.LENGTH);
        drainAll();
        push();
        closed = true;
        stats.bytesSent.add(frame.readableBytes());
        stats.framesSent.add(frames + 1);
        var unused = ctx.writeAndFlush(frame, promise);
    }

    /** Drops frames not yet written to the socket, and all frames sent from now on. */
    void close() {
        closed = true;
        ByteBuf s = spare;
        if (s != null) {
            spare = null;
            s.release();
        }
        ByteBuf b = batch;
        if (b != null) {
            batch = null;
            b.release();
        }
        drainAll();
    }

    private void drainAll() {
        for (Object next = inbox.poll(); next != null; next = inbox.poll()) {
            if (next instanceof Pair pair) {
                append(pair.frame, pair.shared);
                pair.shared.release();
            } else {
                append((ByteBuf) next, null);
            }
        }
    }
}
