package io.weir.kernel.work;

import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Creates threads with the names known from WebLogic's thread dumps. Shared. */
public final class ExecuteThreads implements ThreadFactory {
    private final String queue;
    private final long stackBytes;
    private final AtomicInteger made = new AtomicInteger();

    public ExecuteThreads(String queue, long stackBytes) {
        this.queue = queue;
        this.stackBytes = stackBytes;
    }

    /** For event loops: numbered in the order of creation. */
    @Override
    public Thread newThread(Runnable r) {
        Thread t = new FastThreadLocalThread(null, r, name(made.getAndIncrement()), stackBytes);
        t.setDaemon(true);
        return t;
    }

    public Thread create(int number, Runnable r) {
        Thread t = new Thread(null, r, name(number), stackBytes);
        t.setDaemon(true);
        return t;
    }

    private String name(int number) {
        return "ExecuteThread: '" + number + "' for queue: '" + queue + "'";
    }
}
