package io.weir.server.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The action of a signal: stops the server and ends the process itself, because a virtual machine that a signal ends
 * would exit with the signal's code, and a drained stop is not a failure. It is installed before the start; a signal
 * during the start waits for the start's end, unless the process reported that it has nothing to drain. Shared; lives
 * as long as the process.
 */
final class Stopper implements Runnable {
    private static final long START_SECONDS = 30;

    /** Released once it is known whether there is something to stop. */
    final CountDownLatch decided = new CountDownLatch(1);

    private final IntConsumer halt;

    Stopper() {
        this(Runtime.getRuntime()::halt);
    }

    /** @param halt ends the process with a status */
    Stopper(IntConsumer halt) {
        this.halt = halt;
    }

    /** Stops the server. */
    volatile @Nullable Runnable stop;

    private volatile boolean stopping;

    /** The process's exit status. */
    volatile int status;

    private final AtomicReference<Work> work = new AtomicReference<>(Work.SOME);

    /** Whether a stop has anything to wait for. */
    private enum Work {
        NONE,
        SOME,
        /** Without any, and stopped: none starts any more. */
        STOPPED
    }

    /** Until {@link #begin} a stop ends the process at once. */
    void idle() {
        work.set(Work.NONE);
    }

    /** From now on there may be something to drain; returns false if the stop was first. */
    boolean begin() {
        return work.compareAndSet(Work.NONE, Work.SOME) || work.get() == Work.SOME;
    }

    /** The start failed: what has started is stopped, which is no success, unless a stop was the reason. */
    void failed() {
        if (!stopping) {
            status = 1;
        }
    }

    @Override
    public void run() {
        stopping = true;
        if (work.compareAndSet(Work.NONE, Work.STOPPED)) {
            halt.accept(status);
            return;
        }
        try {
            boolean known = decided.await(START_SECONDS, TimeUnit.SECONDS);
            Runnable it = stop;
            if (known && it != null) {
                it.run();
                halt.accept(status);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
