package io.weir.kernel;

import io.netty.channel.EventLoop;
import io.netty.channel.SingleThreadEventLoop;
import io.weir.base.Clock;
import io.weir.base.Log;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A socket reader: one event loop with its thread, its timer wheel and its idle connections. Lives as long as its kernel.
 * Everything but the counts of connections is confined to the loop's thread.
 */
public final class Muxer {
    private static final long SECOND = 1_000_000_000L;

    private final int index;
    private final EventLoop loop;
    private final Deadlines deadlines;
    private final IdleConnections idle;
    private final IdleConnections awaited = new IdleConnections();
    private @Nullable Deadline sweeper;
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger arriving = new AtomicInteger();
    private long look;
    private boolean lookDue;

    Muxer(int index, EventLoop loop, Clock clock, Log log) {
        this.index = index;
        this.loop = loop;
        this.deadlines = new Deadlines(loop, clock, log);
        this.idle = new IdleConnections();
    }

    /** Its number among the kernel's muxers, from 0; the number in its thread's name. */
    public int index() {
        return index;
    }

    public EventLoop eventLoop() {
        return loop;
    }

    /** Its timers; use them on its thread only. */
    public Deadlines deadlines() {
        return deadlines;
    }

    /** Client connections that it holds. */
    public int connections() {
        return connections.get();
    }

    IdleConnections idle() {
        return idle;
    }

    /** Connections whose client is waited for: it has not sent a whole request, or not taken an answer. */
    IdleConnections awaited() {
        return awaited;
    }

    /** Makes sure that idle connections are looked at when the oldest one's time is over. On its thread. */
    void sweep(KeepAlive keepAlive) {
        Deadline s = sweeper;
        if (s == null) {
            s = new Sweeper(keepAlive);
            sweeper = s;
        }
        if (!s.armed()) {
            deadlines.arm(s, Math.min(keepAlive.timeOutNanos(), SECOND));
        }
    }

    /** Looks through the idle connections once, and again while there are any. */
    private final class Sweeper extends Deadline {
        private final KeepAlive keepAlive;

        Sweeper(KeepAlive keepAlive) {
            this.keepAlive = keepAlive;
        }

        @Override
        protected void expired() {
            long left = keepAlive.sweep(Muxer.this);
            if (left > 0) {
                // At least once a second, so that a shorter time-out set meanwhile takes effect.
                deadlines.arm(this, Math.min(left, SECOND));
            }
        }
    }

    /**
     * How often it has looked at its sockets, counted only while somebody wants to know: what was there at an earlier count
     * has been read meanwhile if it had sent something. On its thread.
     */
    long look() {
        if (!lookDue) {
            lookDue = true;
            afterLook(() -> {
                lookDue = false;
                look++;
            });
        }
        return look;
    }

    /** Does something when it has looked at its sockets once more: tasks alone would come before them. On its thread. */
    void afterLook(Runnable task) {
        if (loop instanceof SingleThreadEventLoop tasks) {
            tasks.executeAfterEventLoopIteration(() -> loop.execute(task));
        } else {
            loop.execute(task);
        }
    }

    /** Connections that acceptors have handed over and that it has not taken yet. */
    int arriving() {
        return arriving.get();
    }

    void handedOver() {
        arriving.incrementAndGet();
    }

    void taken() {
        arriving.decrementAndGet();
    }

    void assigned() {
        connections.incrementAndGet();
    }

    void released() {
        connections.decrementAndGet();
    }
}
