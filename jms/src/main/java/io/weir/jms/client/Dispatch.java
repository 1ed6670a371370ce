package io.weir.jms.client;

import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Calls a session's listeners, one at a time, on the client thread pool: message listeners and completion listeners alike
 * (specification 6.2.5 and 7.3.8). Woken by any thread; at most one thread runs it.
 */
final class Dispatch implements Runnable {
    /** What there is to do. */
    interface Work {
        /** Does one piece; false when there is nothing to do now. */
        boolean step();

        boolean waits();
    }

    private static final int STEPS = 256;
    private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    private final Executor pool;
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private volatile @Nullable Thread running;
    private volatile @Nullable Thread completing;
    /** A completion listener is called, and not from within a message listener. */
    private volatile boolean completesOnly;

    private @Nullable Work work;

    Dispatch(Executor pool) {
        this.pool = pool;
    }

    /** Sets what it does, once, before it is woken. */
    void does(Work steps) {
        work = steps;
    }

    /** There may be something to do. */
    void wake() {
        if (!scheduled.getAndSet(true)) {
            pool.execute(this);
        }
    }

    @Override
    public void run() {
        Work steps = work;
        if (steps == null) {
            return;
        }
        running = Thread.currentThread();
        try {
            for (int i = 0; i < STEPS && steps.step(); i++) {
                Thread.onSpinWait();
            }
        } finally {
            running = null;
            scheduled.set(false);
            if (steps.waits()) {
                wake();
            }
        }
    }

    /** Whether the current thread is inside a listener of this session. */
    boolean isCurrent() {
        return Thread.currentThread().equals(running);
    }

    /** Whether the current thread is inside a completion listener of this session. */
    boolean isCompleting() {
        return Thread.currentThread().equals(completing);
    }

    /** Whether the current thread is inside a message listener of this session. */
    boolean isListening() {
        return isCurrent() && !completesOnly;
    }

    /** Runs completion listeners, marked as such; from outside of message listeners. */
    boolean complete(AsyncSends sends) {
        completesOnly = true;
        try {
            return completeMarked(sends);
        } finally {
            completesOnly = false;
        }
    }

    private boolean completeMarked(AsyncSends sends) {
        Thread before = completing;
        completing = Thread.currentThread();
        try {
            return sends.tellNext();
        } finally {
            completing = before;
        }
    }

    private @Nullable AsyncSends sends;

    void completes(AsyncSends asyncSends) {
        sends = asyncSends;
    }

    /** Within a listener: calls the completion listeners that are due, or waits a little for one. */
    void completeHere() {
        AsyncSends s = sends;
        if (s != null && !completeMarked(s)) {
            LockSupport.parkNanos(this, POLL_NANOS);
        }
    }

    /**
     * Waits until no message listener runs; within one it does not wait. Completion listeners are not waited for: they go on
     * while delivery is stopped, and two that stop their contexts would wait for each other.
     */
    void awaitNoMessage() {
        await(false);
    }

    /** Waits until no listener runs; within one it does not wait. */
    void awaitIdle() {
        await(true);
    }

    private void await(boolean completionToo) {
        boolean interrupted = false;
        while (running != null && (completionToo || !completesOnly) && !isCurrent()) {
            LockSupport.parkNanos(this, POLL_NANOS);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
