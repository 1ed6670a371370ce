package io.weir.kernel.mux;

import io.netty.channel.EventLoop;
import io.netty.channel.SingleThreadEventLoop;
import io.weir.base.Clock;
import io.weir.base.Log;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A socket reader: one event loop with its thread and its timer wheel. Lives as long as its kernel.
 * Everything but the counts of connections is confined to the loop's thread.
 */
public final class Muxer {
    private final int index;
    private final EventLoop loop;
    private final Deadlines deadlines;
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger arriving = new AtomicInteger();
    private long look;
    private boolean lookDue;

    Muxer(int index, EventLoop loop, Clock clock, Log log) {
        this.index = index;
        this.loop = loop;
        this.deadlines = new Deadlines(loop, clock, log);
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

    /**
     * How often it has looked at its sockets, counted only while somebody wants to know: what was there at an earlier count
     * has been read meanwhile if it had sent something. On its thread.
     */
    public long look() {
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
    public void afterLook(Runnable task) {
        if (loop instanceof SingleThreadEventLoop tasks) {
            tasks.executeAfterEventLoopIteration(() -> loop.execute(task));
        } else {
            loop.execute(task);
        }
    }

    /** Connections that acceptors have handed over and that it has not taken yet. */
    public int arriving() {
        return arriving.get();
    }

    public void handedOver() {
        arriving.incrementAndGet();
    }

    public void taken() {
        arriving.decrementAndGet();
    }

    public void assigned() {
        connections.incrementAndGet();
    }

    public void released() {
        connections.decrementAndGet();
    }
}
