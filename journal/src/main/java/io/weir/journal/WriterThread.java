package io.weir.journal;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;

/**
 * The thread that runs a journal's batches. A single persistent producer wakes it for each message, so it parks on itself:
 * an executor's queue takes two locks and a condition for that. Tasks run in order; one that throws does not end the
 * thread. Its queue needs no bound: a journal submits one run at a time, and at last its close. Shared; lives until closed.
 */
final class WriterThread implements Executor, AutoCloseable {
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    /** Set before it looks at the tasks for the last time: who adds one then sees it, or is seen. */
    private volatile boolean parking;

    private volatile boolean closed;
    /** Set before it looks at the tasks for the last time of all. */
    private volatile boolean ended;

    WriterThread(String name) {
        thread = Thread.ofPlatform().name(name).daemon(true).unstarted(this::run);
    }

    WriterThread start() {
        thread.start();
        return this;
    }

    @Override
    public void execute(Runnable task) {
        if (closed) {
            throw new RejectedExecutionException(thread.getName() + " has ended");
        }
        tasks.add(task);
        if (ended && tasks.remove(task)) {
            // it was closed in between, and nobody runs it
            throw new RejectedExecutionException(thread.getName() + " has ended");
        }
        if (parking) {
            parking = false;
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        while (!closed) {
            runWaiting();
            parking = true;
            if (tasks.isEmpty() && !closed) {
                LockSupport.park(this);
            }
            parking = false;
        }
        ended = true;
        runWaiting();
    }

    private void runWaiting() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            guarded(task);
        }
    }

    private void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }

    /** Runs the tasks that wait, ends the thread, and waits for that. */
    @Override
    public void close() {
        closed = true;
        boolean interrupted = false;
        while (thread.isAlive()) {
            LockSupport.unpark(thread);
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
