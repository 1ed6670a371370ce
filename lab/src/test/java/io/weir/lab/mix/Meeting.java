package io.weir.lab.mix;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Two answers that origins give at the same moment. Thread-safe; lives for one use. */
final class Meeting {
    private static final int MOST_MILLIS = 500;
    private final CountDownLatch missing = new CountDownLatch(2);

    /** Waits for the other one; not for ever, for it may never be asked for. */
    void meet() {
        missing.countDown();
        try {
            boolean _ = missing.await(MOST_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
