package io.weir.jms.client.listener;

import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Calls a session's listeners, one at a time, on the client thread pool: message listeners and completion listeners alike
 * (specification 6.2.5 and 7.3.8). Woken by any thread; at most one thread runs it.
 */
public final class Dispatch implements Runnable {
    /** The message listener work. */
    public interface Work {
        /** Runs one step; returns false if there is nothing to do now. */
        boolean step();

        boolean waits();
    }

    /** Completion listeners to be called; they run before other work. */
    public interface Completions {
        /** Whether one is due. */
        boolean hasReady();

        /** Calls the oldest if it is due. */
        boolean completeNext();
    }

    private static final int STEPS = 256;
    private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    private final Executor pool;
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private volatile @Nullable Thread running;
    private volatile @Nullable Thread completing;
    /** Whether a completion listener is being called outside of a message listener. */
    private volatile boolean completesOnly;

    private @Nullable Work work;
    private @Nullable Completions completions;

    /** Creates the dispatch of a session, which runs on the pool. */
    public Dispatch(Executor pool) {
        this.pool = pool;
    }

    /** Sets its work, once, before it is woken. */
    public void does(Completions first, Work steps) {
        completions = first;
        work = steps;
    }

    /** Schedules it, because there may be something to do. */
    public void wake() {
        if (!scheduled.getAndSet(true)) {
            pool.execute(this);
        }
    }

    @Override
    public void run() {
        Work steps = work;
        Completions first = completions;
        if (steps == null || first == null) {
            return;
        }
        running = Thread.currentThread();
        try {
            for (int i = 0; i < STEPS && (complete(first) || steps.step()); i++) {
                Thread.onSpinWait();
            }
        } finally {
            running = null;
            scheduled.set(false);
            if (first.hasReady() || steps.waits()) {
                wake();
            }
        }
    }

    /** Whether the current thread is inside a listener of this session. */
    public boolean isCurrent() {
        return Thread.currentThread().equals(running);
    }

    /** Whether the current thread is inside a completion listener of this session. */
    public boolean isCompleting() {
        return Thread.currentThread().equals(completing);
    }

    /** Whether the current thread is inside a message listener of this session. */
    public boolean isListening() {
        return isCurrent() && !completesOnly;
    }

    /** Runs completion listeners, marked as such; called outside of message listeners. */
    private boolean complete(Completions due) {
        completesOnly = true;
        try {
            return completeMarked(due);
        } finally {
            completesOnly = false;
        }
    }

    private boolean completeMarked(Completions due) {
        Thread before = completing;
        completing = Thread.currentThread();
        try {
            return due.completeNext();
        } finally {
            completing = before;
        }
    }

    /** Within a listener: calls the completion listeners that are due, or waits a little for one. */
    public void completeHere() {
        Completions due = completions;
        if (due != null && !completeMarked(due)) {
            LockSupport.parkNanos(this, POLL_NANOS);
        }
    }

    /**
     * Waits until no message listener runs; within one it does not wait. Completion listeners are not waited for: they
     * run while delivery is stopped, and two that stop their contexts would wait for each other.
     */
    public void awaitNoMessage() {
        await(false);
    }

    /** Waits until no listener runs; within one it does not wait. */
    public void awaitIdle() {
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
