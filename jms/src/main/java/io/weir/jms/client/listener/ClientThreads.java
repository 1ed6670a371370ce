package io.weir.jms.client.listener;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The client thread pools, by size, one for all connections of the virtual machine (the Trader article). Listeners,
 * completion listeners and exception listeners run here and never on an event loop. Daemon threads that end after a
 * minute without work, so that they need not be closed; the most recently used thread runs the next task, and a new one
 * is started only if the others are busy. The queue holds at most one task for each session and connection. Shared.
 */
public final class ClientThreads {
    private static final ConcurrentHashMap<Integer, Executor> POOLS = new ConcurrentHashMap<>();

    private ClientThreads() {}

    /** The pool of at most {@code threads} threads. */
    public static Executor ofSize(int threads) {
        return POOLS.computeIfAbsent(threads, ClientThreads::pool);
    }

    private static Executor pool(int threads) {
        AtomicInteger number = new AtomicInteger();
        return new ForkJoinPool(
                threads,
                pool -> new Worker(pool, number.getAndIncrement()),
                null,
                true,
                0,
                threads,
                0,
                pool -> true,
                60,
                TimeUnit.SECONDS);
    }

    /** A thread of the pool, with the applications' class loader instead of the pool's. */
    private static final class Worker extends ForkJoinWorkerThread {
        Worker(ForkJoinPool pool, int number) {
            super(pool);
            setName("ExecuteThread: '" + number + "' for queue: 'weir.jms.client'");
            setContextClassLoader(ClientThreads.class.getClassLoader());
        }
    }
}
