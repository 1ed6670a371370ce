package io.weir.cluster.singleton;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Threads for service code: platform threads, named for thread dumps. Activations use a bounded pool, so that hanging
 * calls do not exhaust the machine; deactivations use additional threads, because nothing may prevent them from being
 * called. Called from the loop. Shared; lives as long as the member.
 */
public interface ServiceCodeThreads extends AutoCloseable {
    /** Runs a task on a thread of the bounded pool; returns false if none is free, and then the task never runs. */
    boolean execute(Runnable task);

    /**
     * Runs a task on an additional thread, independently of the pool; returns false if no thread can be created, and
     * then the task never runs.
     */
    boolean beside(Runnable task);

    /** Maximum number of threads for {@link #execute}. */
    int most();

    /** Interrupts hanging calls without waiting for them. */
    @Override
    void close();

    /**
     * Platform threads, started on demand.
     *
     * @param most maximum for {@link #execute}: the concurrent activations, and as many again that may hang. Each
     *     deactivation uses an additional thread.
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
                // "unable to create native thread": the limit of the process or the machine is reached
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
