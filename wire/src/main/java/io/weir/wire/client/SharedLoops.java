package io.weir.wire.client;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The daemon threads that all clients of a process share: created for the first, terminated after the last. Shared. */
final class SharedLoops {
    /** System property for the number of threads; half of the processors by default, at most 4. */
    static final String THREADS = "weir.client.io-threads";

    private static final ReentrantLock LOCK = new ReentrantLock();
    private static @Nullable EventLoopGroup group;
    private static int users;

    private SharedLoops() {}

    static EventLoopGroup acquire() {
        LOCK.lock();
        try {
            EventLoopGroup g = group;
            if (g == null) {
                g = new MultiThreadIoEventLoopGroup(
                        threads(), new DefaultThreadFactory("weir-client-io", true), NioIoHandler.newFactory());
                group = g;
            }
            users++;
            return g;
        } finally {
            LOCK.unlock();
        }
    }

    static void release() {
        LOCK.lock();
        try {
            EventLoopGroup g = group;
            if (--users == 0 && g != null) {
                group = null;
                var unused = g.shutdownGracefully(0, 5, TimeUnit.SECONDS);
            }
        } finally {
            LOCK.unlock();
        }
    }

    private static int threads() {
        int half = Math.max(1, Math.min(Runtime.getRuntime().availableProcessors() / 2, 4));
        return Math.max(1, Integer.getInteger(THREADS, half));
    }
}
