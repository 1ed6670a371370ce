package io.weir.jms.client;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The client thread pools, by size, one for all connections of the virtual machine (seed 003). Listeners, completion
 * listeners and exception listeners run here and never on an event loop. Daemon threads that end after a minute without
 * work, so that nobody need close them. The queue holds at most one task for each session and connection. Shared.
 */
final class ClientThreads {
    private static final ConcurrentHashMap<Integer, Executor> POOLS = new ConcurrentHashMap<>();

    private ClientThreads() {}

    static Executor ofSize(int threads) {
        return POOLS.computeIfAbsent(threads, ClientThreads::pool);
    }

    private static Executor pool(int threads) {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(threads, threads, 60, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), named());
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private static ThreadFactory named() {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread t =
                    new Thread(task, "ExecuteThread: '" + number.getAndIncrement() + "' for queue: 'weir.jms.client'");
            t.setDaemon(true);
            return t;
        };
    }
}
