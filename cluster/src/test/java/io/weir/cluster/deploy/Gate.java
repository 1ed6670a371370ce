package io.weir.cluster.deploy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Where one thread of a test waits for another. */
final class Gate {
    private Gate() {}

    static void pass(CountDownLatch gate) {
        try {
            if (!gate.await(60, TimeUnit.SECONDS)) {
                throw new AssertionError("waited in vain");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
