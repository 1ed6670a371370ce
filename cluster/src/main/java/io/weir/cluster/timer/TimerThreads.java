package io.weir.cluster.timer;

import io.weir.base.Log;
import io.weir.cluster.state.timers.TimerSpec;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Calls listeners on a bounded number of execute threads; at most one firing of each timer is queued, so the queue is
 * bounded by the number of timers. Shared; lives as long as the member.
 */
public final class TimerThreads implements TimerRunner, AutoCloseable {
    private static final long IDLE_SECONDS = 60;

    private final TimerTargets targets;
    private final Log log;
    private final ThreadPoolExecutor threads;
    private final AtomicLong numbers = new AtomicLong();
    private final Set<Thread> calling = new HashSet<>();

    /**
     * Threads are started on demand.
     *
     * @param max maximum number of concurrent listeners
     */
    public TimerThreads(TimerTargets targets, int max, Log log) {
        this.targets = targets;
        this.log = log;
        this.threads = new ThreadPoolExecutor(
                max, max, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), this::thread);
        threads.allowCoreThreadTimeOut(true);
    }

    private Thread thread(Runnable r) {
        return Thread.ofPlatform()
                .daemon()
                .name("ExecuteThread: '" + numbers.getAndIncrement() + "' for queue: 'weir.cluster.Timers'")
                .unstarted(r);
    }

    @Override
    public void run(TimerSpec timer, Firing firing, Consumer<String> done) {
        if (threads.getActiveCount() >= threads.getMaximumPoolSize()) {
            log.log(TimerMessages.BUSY, timer.id(), firing.scheduled());
        }
        try {
            threads.execute(() -> done.accept(outcome(timer, firing)));
        } catch (RejectedExecutionException e) {
            // left to another member
            done.accept(NOT_DONE);
        }
    }

    private String outcome(TimerSpec timer, Firing firing) {
        enter();
        try {
            targets.listener(timer).timerExpired(firing);
            return "";
        } catch (FenceRefused e) {
            return NOT_DONE;
        } catch (InterruptedException e) {
            return "interrupted";
        } catch (Exception | Error e) {
            // an error of a user's class fails the firing, not this thread
            return e.toString();
        } finally {
            leave();
        }
    }

    private void enter() {
        synchronized (calling) {
            calling.add(Thread.currentThread());
        }
    }

    /** Clears the interrupt flag, so that an interrupt of this call does not affect the thread's next one. */
    private boolean leave() {
        synchronized (calling) {
            calling.remove(Thread.currentThread());
            return Thread.interrupted();
        }
    }

    @Override
    public void interrupt() {
        synchronized (calling) {
            calling.forEach(Thread::interrupt);
        }
    }

    /** Interrupts running listeners without waiting for them. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
