package io.weir.proxy.qos;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * What a listener, a virtual server or a client uses: connections, requests and bytes sent, now and at most. Shared by the
 * muxers, lock-free.
 */
final class Usage {
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final Meter requests;
    private final Meter bytes;

    Usage(long now) {
        requests = new Meter(now);
        bytes = new Meter(now);
    }

    /** Takes a place for a connection among so many, 0 for no bound; false when there is none. */
    boolean admit(int places) {
        while (true) {
            int n = open.get();
            if (places > 0 && n >= places) {
                return false;
            }
            if (open.compareAndSet(n, n + 1)) {
                most.accumulateAndGet(n + 1, Math::max);
                return true;
            }
        }
    }

    /** Gives a connection's place back. */
    void released() {
        open.decrementAndGet();
    }

    int open() {
        return open.get();
    }

    /** A request passed its limits. */
    void requested(long now) {
        requests.add(1, now);
    }

    void sent(long n, long now) {
        bytes.add(n, now);
    }

    /** The figures of this moment. */
    Use figures(String name, long now) {
        return new Use(
                name,
                open.get(),
                most.get(),
                requests.total(),
                requests.rate(now),
                requests.most(now),
                bytes.total(),
                bytes.rate(now),
                bytes.most(now));
    }
}
