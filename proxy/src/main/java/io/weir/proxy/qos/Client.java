package io.weir.proxy.qos;

import io.weir.base.Counter;
import java.util.concurrent.atomic.AtomicInteger;

/** What is remembered of one client address. Shared by the muxers; lives while it says more than a new one would. */
final class Client {
    private final long key;
    private final boolean v6;
    private final RateLimit requests;
    private final Bandwidth bandwidth;
    private final AtomicInteger connections = new AtomicInteger();

    Client(long key, boolean v6, long now, long rate, Counter pauses) {
        this.key = key;
        this.v6 = v6;
        this.requests = new RateLimit(now);
        this.bandwidth = new Bandwidth(now, pauses);
        bandwidth.rate(rate);
    }

    boolean is(long otherKey, boolean otherV6) {
        return key == otherKey && v6 == otherV6;
    }

    RateLimit requests() {
        return requests;
    }

    Bandwidth bandwidth() {
        return bandwidth;
    }

    void opened() {
        connections.incrementAndGet();
    }

    void closed() {
        connections.decrementAndGet();
    }

    /** Whether forgetting it changes nothing: no connection, and full buckets. */
    boolean rests(long now) {
        return connections.get() == 0 && requests.rests(now) && bandwidth.rests(now);
    }
}
