package io.weir.lab.mix;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Two answers that origins make at the same time, and give at the same moment. Thread-safe; lives for one use. */
final class Meeting {
    private static final int MOST_MILLIS = 500;
    private final CountDownLatch heard = new CountDownLatch(2);
    private final CountDownLatch ready = new CountDownLatch(2);

    /** Both requests are there. */
    void heard() {
        meet(heard);
    }

    /** Both answers are ready to be sent. */
    void ready() {
        meet(ready);
    }

    /** Waits for the other one; not for ever, for it may never be asked for. */
    private static void meet(CountDownLatch missing) {
        missing.countDown();
        try {
            boolean _ = missing.await(MOST_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
