package io.weir.proxy.pool;

import java.util.concurrent.atomic.AtomicLong;

/**
 * One muxer's requests to one server: in flight and in total. Written by that muxer only, without fences: readers on
 * other threads may see slightly old values.
 */
final class Load {
    private final AtomicLong active = new AtomicLong();
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final AtomicLong answers = new AtomicLong();
    private final AtomicLong nanos = new AtomicLong();

    private static void add(AtomicLong to, long n) {
        to.setOpaque(to.getPlain() + n);
    }

    void begun() {
        add(active, 1);
        add(requests, 1);
    }

    void answered(long took) {
        add(answers, 1);
        add(nanos, took);
    }

    void failed() {
        add(failures, 1);
    }

    void over() {
        add(active, -1);
    }

    long active() {
        return active.getOpaque();
    }

    long requests() {
        return requests.getOpaque();
    }

    long failures() {
        return failures.getOpaque();
    }

    long answers() {
        return answers.getOpaque();
    }

    long nanos() {
        return nanos.getOpaque();
    }
}
