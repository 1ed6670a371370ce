package io.weir.lab.bench.growth;

import io.weir.base.Clock;
import jakarta.jms.JMSException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** Counts received messages. Shared by the listeners' threads and the one that sends. */
final class Arrivals {
    private static final long NAP = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);
    private final LongAdder arrived = new LongAdder();
    private final Clock clock;

    Arrivals(Clock clock) {
        this.clock = clock;
    }

    void one() {
        arrived.increment();
    }

    long count() {
        return arrived.sum();
    }

    /**
     * Waits until so many have arrived.
     *
     * @throws JMSException if they do not within some seconds
     */
    void await(long wanted) throws JMSException {
        if (arrived.sum() >= wanted) {
            return;
        }
        long deadline = clock.nanos() + PATIENCE;
        while (arrived.sum() < wanted) {
            if (clock.nanos() - deadline > 0) {
                throw new JMSException("of " + wanted + " messages " + arrived.sum() + " were received");
            }
            LockSupport.parkNanos(NAP);
        }
    }
}
