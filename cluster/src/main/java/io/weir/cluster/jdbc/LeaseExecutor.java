package io.weir.cluster.jdbc;

import io.weir.cluster.log.LogFault;
import io.weir.cluster.log.Loop;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The single thread that executes lease requests on the database; results are delivered on the member's loop. Requests
 * that were queued longer than their time-out are dropped, because their result would be too late. Shared: called from
 * the loop.
 */
final class LeaseExecutor implements AutoCloseable {
    /** Maximum number of queued requests. */
    static final int WAITING = 1000;

    /** A request executed over the connection to the database. */
    interface Request<T> {
        T execute() throws DatabaseFault;
    }

    private final Loop loop;
    private final long maxWait;
    private final ThreadPoolExecutor thread;

    /**
     * Creates the executor and its thread.
     *
     * @param maxWait nanoseconds for which a request may be queued
     */
    LeaseExecutor(String name, Loop loop, long maxWait) {
        this.loop = loop;
        this.maxWait = maxWait;
        this.thread = new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(WAITING),
                task -> Thread.ofPlatform().name(name).daemon(true).unstarted(task));
    }

    /** Submits a request; the future completes on the loop, with a {@link LogFault} if it failed. */
    <T> CompletableFuture<T> submit(Request<T> request) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        long queuedAt = loop.clock().nanos();
        try {
            thread.execute(() -> answer(request, queuedAt, answer));
        } catch (RejectedExecutionException e) {
            LogFault.Kind kind = thread.isShutdown() ? LogFault.Kind.CLOSED : LogFault.Kind.NOT_COMMITTED;
            answer.completeExceptionally(new LogFault(kind, "the database has " + WAITING + " requests waiting"));
        }
        return answer;
    }

    private <T> void answer(Request<T> request, long queuedAt, CompletableFuture<T> answer) {
        if (loop.clock().nanos() - queuedAt > maxWait) {
            deliver(() -> answer.completeExceptionally(
                    new LogFault(LogFault.Kind.NOT_COMMITTED, "waited too long for the database")));
            return;
        }
        try {
            T value = request.execute();
            deliver(() -> answer.complete(value));
        } catch (DatabaseFault fault) {
            LogFault.Kind kind = fault.nothingHappened() ? LogFault.Kind.NOT_COMMITTED : LogFault.Kind.UNKNOWN;
            LogFault reported = new LogFault(kind, String.valueOf(fault.getMessage()), fault);
            deliver(() -> answer.completeExceptionally(reported));
        } catch (RuntimeException | Error fault) {
            deliver(() -> answer.completeExceptionally(fault));
            throw fault;
        }
    }

    private void deliver(Runnable callback) {
        try {
            loop.deliver(callback);
        } catch (RejectedExecutionException ended) {
            // the loop has ended: the caller's own time-out applies
            thread.shutdown();
        }
    }

    /** Runs a final task on the thread, without a result. */
    void last(Runnable what) {
        if (!thread.isShutdown()) {
            thread.execute(what);
        }
    }

    /** Terminates once the queued requests are executed. Does not wait for that. */
    @Override
    public void close() {
        thread.shutdown();
    }
}
