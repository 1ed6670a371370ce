package io.weir.cluster.singleton;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Threads for services' code: platform threads, named for thread dumps. What begins something takes one of a
 * bounded number, so that calls that hang do not eat up the machine; what ends something gets one beside these, since
 * nothing may keep it from being called. Called from the loop. Shared; lives as long as the member.
 */
public interface ServiceCodeThreads extends AutoCloseable {
    /** Runs a task on one of the bounded number of threads; false when none is free, and then it never runs. */
    boolean execute(Runnable task);

    /**
     * Runs a task on a thread beside these, whatever the others do; false when the machine has none left, and then it
     * never runs.
     */
    boolean beside(Runnable task);

    /** How many there may be for {@link #execute}. */
    int most();

    /** Calls that hang are interrupted and left to themselves. */
    @Override
    void close();

    /**
     * Real ones, started when needed.
     *
     * @param most for {@link #execute}: those at once, and as many again that may hang. Beside them there are as many
     * as services     that are being ended.
     */
    static ServiceCodeThreads of(int most) {
        return new Platform(most);
    }

    /** Platform threads. Shared; lives as long as the member. */
    final class Platform implements ServiceCodeThreads {
        private static final long IDLE_SECONDS = 60;

        private final AtomicLong numbers = new AtomicLong();
        private final ThreadPoolExecutor bounded;
        private final ThreadPoolExecutor beside;

        private Platform(int most) {
            bounded = pool(most);
            beside = pool(Integer.MAX_VALUE);
        }

        private ThreadPoolExecutor pool(int max) {
            return new ThreadPoolExecutor(
                    0, max, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), this::thread);
        }

        private Thread thread(Runnable r) {
            return Thread.ofPlatform()
                    .daemon()
                    .name("ExecuteThread: '" + numbers.getAndIncrement() + "' for queue: 'weir.cluster.Singletons'")
                    .unstarted(r);
        }

        @Override
        public boolean execute(Runnable task) {
            return begin(bounded, task);
        }

        @Override
        public boolean beside(Runnable task) {
            return begin(beside, task);
        }

        private static boolean begin(ThreadPoolExecutor pool, Runnable task) {
            try {
                pool.execute(task);
                return true;
            } catch (RejectedExecutionException full) {
                return false;
            } catch (OutOfMemoryError none) {
                // "unable to create native thread": the process or the machine has no more of them
                return false;
            }
        }

        @Override
        public int most() {
            return bounded.getMaximumPoolSize();
        }

        @Override
        public void close() {
            bounded.shutdownNow();
            beside.shutdownNow();
        }
    }
}
