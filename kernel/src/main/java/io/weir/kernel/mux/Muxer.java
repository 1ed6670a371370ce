package io.weir.kernel.mux;

import io.netty.channel.EventLoop;
import io.netty.channel.SingleThreadEventLoop;
import io.weir.base.Clock;
import io.weir.base.Log;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A socket reader: one event loop with its thread and its timer wheel. Lives as long as its kernel. Everything but the
 * counts of connections is confined to the loop's thread.
 */
public final class Muxer {
    private final int index;
    private final EventLoop loop;
    private final Deadlines deadlines;
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger arriving = new AtomicInteger();
    private long polls;
    private boolean pollCounted;

    Muxer(int index, EventLoop loop, Clock clock, Log log) {
        this.index = index;
        this.loop = loop;
        this.deadlines = new Deadlines(loop, clock, log);
    }

    /** Its number among the kernel's muxers, from 0, which is also the number in its thread's name. */
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

    /** Number of client connections assigned to it. */
    public int connections() {
        return connections.get();
    }

    /**
     * Number of polls of its sockets, counted only while callers need it: data that a connection registered at a lower
     * count had sent has been read by now. Call on its thread.
     */
    public long polls() {
        if (!pollCounted) {
            pollCounted = true;
            afterPoll(() -> {
                pollCounted = false;
                polls++;
            });
        }
        return polls;
    }

    /** Runs a task after the next poll of its sockets; plain tasks would run before it. Call on its thread. */
    public void afterPoll(Runnable task) {
        if (loop instanceof SingleThreadEventLoop tasks) {
            tasks.executeAfterEventLoopIteration(() -> loop.execute(task));
        } else {
            loop.execute(task);
        }
    }

    /** Number of connections handed over by acceptors and not yet registered. */
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
