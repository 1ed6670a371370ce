package io.weir.wire.channel;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends PING when nothing was sent for an interval, and counts the intervals in which nothing was received; both ends
 * do this. Confined to the connection's loop; lives from login to close.
 */
final class Heartbeat {
    /** Its callbacks. */
    interface Pulse {
        void ping();

        /** Whether anything was sent since the last call. */
        boolean sentSomething();

        /** Nothing was received for the given number of intervals. */
        void silent(int intervals);
    }

    private final EventLoop loop;
    private final Pulse pulse;
    private final long nanos;
    private final int missable;
    private final Runnable tick = this::tick;
    private @Nullable Future<?> next;
    private boolean heard;
    private boolean paused;
    private int missed;

    Heartbeat(EventLoop loop, Pulse pulse, long nanos, int missable) {
        this.loop = loop;
        this.pulse = pulse;
        this.nanos = nanos;
        this.missable = missable;
    }

    void start() {
        next = loop.schedule(tick, nanos, TimeUnit.NANOSECONDS);
    }

    void heard() {
        heard = true;
    }

    /** Suspends counting while nothing is read from the peer, because nothing can be received then. */
    void paused(boolean on) {
        paused = on;
        heard = true;
    }

    void stop() {
        Future<?> n = next;
        if (n != null) {
            n.cancel(false);
            next = null;
        }
    }

    private void tick() {
        if (!pulse.sentSomething()) {
            pulse.ping();
        }
        missed = heard || paused ? 0 : missed + 1;
        heard = false;
        if (missed >= missable) {
            next = null;
            pulse.silent(missed);
        } else {
            start();
        }
    }
}
