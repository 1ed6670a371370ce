package io.weir.lab.jmsload;

import io.weir.base.Clock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** Counts events and samples the count at regular intervals. Shared by the threads of a turn. */
final class Meter {
    private static final long STEP = TimeUnit.MILLISECONDS.toNanos(100);
    private final LongAdder done = new LongAdder();
    private final LongAdder sent = new LongAdder();
    private final Clock clock;

    Meter(Clock clock) {
        this.clock = clock;
    }

    void arrived() {
        done.increment();
    }

    void departed() {
        sent.increment();
    }

    long done() {
        return done.sum();
    }

    long sent() {
        return sent.sum();
    }

    /** The counts of a period. */
    record Window(long done, long sent, double seconds, double deviation) {}

    /** Samples for the given time, on the caller's thread. */
    Window watch(long millis) {
        int steps = (int) Math.max(1, TimeUnit.MILLISECONDS.toNanos(millis) / STEP);
        double[] rates = new double[steps];
        long firstDone = done();
        long firstSent = sent();
        long start = clock.nanos();
        long before = start;
        long count = firstDone;
        for (int i = 0; i < steps; i++) {
            until(start + (i + 1) * STEP);
            long now = clock.nanos();
            long reached = done();
            rates[i] = (reached - count) / ((now - before) / 1e9);
            before = now;
            count = reached;
        }
        return new Window(count - firstDone, sent() - firstSent, (before - start) / 1e9, deviation(rates));
    }

    private void until(long nanos) {
        for (long left = nanos - clock.nanos(); left > 0; left = nanos - clock.nanos()) {
            LockSupport.parkNanos(left);
        }
    }

    /** Standard deviation divided by the mean; 0 without events. */
    static double deviation(double[] rates) {
        double sum = 0;
        for (double rate : rates) {
            sum += rate;
        }
        double mean = sum / rates.length;
        double squares = 0;
        for (double rate : rates) {
            squares += (rate - mean) * (rate - mean);
        }
        return mean == 0 ? 0 : Math.sqrt(squares / rates.length) / mean;
    }
}
