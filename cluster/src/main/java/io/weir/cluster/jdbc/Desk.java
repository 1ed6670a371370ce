package io.weir.cluster.jdbc;

import io.weir.cluster.log.LogFault;
import io.weir.cluster.log.Loop;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The one thread for the database's leases; results are delivered on the member's loop. Requests that waited longer
 * than their time-out are dropped: the answer would come too late. Shared: called from the loop.
 */
final class Desk implements AutoCloseable {
    /** Questions that may wait. */
    static final int WAITING = 1000;

    /** Something to ask over the desk's connection. */
    interface Question<T> {
        T ask() throws DatabaseFault;
    }

    private final Loop loop;
    private final long patience;
    private final ThreadPoolExecutor thread;

    /**
     * A desk with a thread of its own.
     *
     * @param patience nanoseconds for which a question may wait for its turn
     */
    Desk(String name, Loop loop, long patience) {
        this.loop = loop;
        this.patience = patience;
        this.thread = new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(WAITING),
                task -> Thread.ofPlatform().name(name).daemon(true).unstarted(task));
    }

    /** Asks; the future completes on the loop, with a {@link LogFault} when there is no answer. */
    <T> CompletableFuture<T> ask(Question<T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        long asked = loop.clock().nanos();
        try {
            thread.execute(() -> answer(question, asked, answer));
        } catch (RejectedExecutionException e) {
            LogFault.Kind kind = thread.isShutdown() ? LogFault.Kind.CLOSED : LogFault.Kind.NOT_COMMITTED;
            answer.completeExceptionally(new LogFault(kind, "the database has " + WAITING + " questions waiting"));
        }
        return answer;
    }

    private <T> void answer(Question<T> question, long asked, CompletableFuture<T> answer) {
        if (loop.clock().nanos() - asked > patience) {
            tell(() -> answer.completeExceptionally(
                    new LogFault(LogFault.Kind.NOT_COMMITTED, "waited too long for the database")));
            return;
        }
        try {
            T value = question.ask();
            tell(() -> answer.complete(value));
        } catch (DatabaseFault fault) {
            LogFault.Kind kind = fault.nothingHappened() ? LogFault.Kind.NOT_COMMITTED : LogFault.Kind.UNKNOWN;
            LogFault reported = new LogFault(kind, String.valueOf(fault.getMessage()), fault);
            tell(() -> answer.completeExceptionally(reported));
        } catch (RuntimeException | Error fault) {
            tell(() -> answer.completeExceptionally(fault));
            throw fault;
        }
    }

    private void tell(Runnable news) {
        try {
            loop.deliver(news);
        } catch (RejectedExecutionException ended) {
            // the loop has ended: the caller's own time-out applies
            thread.shutdown();
        }
    }

    /** Asks something on the desk's thread as its last, without an answer. */
    void last(Runnable what) {
        if (!thread.isShutdown()) {
            thread.execute(what);
        }
    }

    /** Lets what waits be answered, then ends. Does not wait for it. */
    @Override
    public void close() {
        thread.shutdown();
    }
}
