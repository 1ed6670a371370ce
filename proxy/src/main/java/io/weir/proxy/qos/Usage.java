package io.weir.proxy.qos;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * The usage of a listener, a virtual server or a client: connections, requests and bytes sent, current and maximum.
 * Shared by the muxers, lock-free.
 */
final class Usage {
    private static final AtomicIntegerFieldUpdater<Usage> OPEN =
            AtomicIntegerFieldUpdater.newUpdater(Usage.class, "open");
    private static final AtomicIntegerFieldUpdater<Usage> MOST =
            AtomicIntegerFieldUpdater.newUpdater(Usage.class, "most");

    private final RateMeter requests = new RateMeter();
    private final RateMeter bytes = new RateMeter();
    private volatile int open;
    private volatile int most;

    /** Takes one of the given number of places for a connection, 0 for no bound; returns false if there is none. */
    boolean admit(int places) {
        while (true) {
            int n = open;
            if (places > 0 && n >= places) {
                return false;
            }
            if (OPEN.compareAndSet(this, n, n + 1)) {
                MOST.accumulateAndGet(this, n + 1, Math::max);
                return true;
            }
        }
    }

    /** Releases a connection's place. */
    void released() {
        OPEN.decrementAndGet(this);
    }

    int open() {
        return open;
    }

    /** A request passed its limits. */
    void requested(long now) {
        requests.add(1, now);
    }

    void sent(long n, long now) {
        bytes.add(n, now);
    }

    /** The current figures. */
    UsageFigures figures(String name, long now) {
        return new UsageFigures(
                name,
                open,
                most,
                requests.total(),
                requests.rate(now),
                requests.most(now),
                bytes.total(),
                bytes.rate(now),
                bytes.most(now));
    }
}
