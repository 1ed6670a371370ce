package io.weir.kernel.work;

import io.weir.base.Clock;
import io.weir.kernel.settings.Machine;
import java.util.BitSet;
import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The bounded platform threads of a work manager, and of the work managers that share its threads. It starts with the
 * minimum and adds a thread whenever there is more work than threads, up to the maximum; work beyond that waits in a
 * bounded queue, and further work is refused. If classes or constraints are configured, work waits in a {@link
 * FairQueue}, and this queue holds one turn per work item: a thread that takes a turn selects the next work only then.
 * Shared; lives as long as its kernel.
 */
final class ExecutePool {
    /** Entries of the queue other than plain work. */
    private enum Mark implements Runnable {
        /** Wakes a waiting thread so that it notices that the pool stops. */
        WAKE,
        /** Run the next work in the order of classes. */
        TURN;

        @Override
        public void run() {
            // a marker is never run
        }
    }

    /** Work ordered by class. */
    private record Ordered(WorkManager manager, Runnable task) {}

    private final int minThreads;
    private final int maxThreads;
    private final int queueCapacity;
    private final long idleNanos;
    private final ExecuteThreads factory;
    private final Clock clock;
    private final LinkedTransferQueue<Runnable> queue = new LinkedTransferQueue<>();
    private final @Nullable FairQueue<Ordered> order;
    /** Work that runs or waits. */
    private final AtomicInteger present = new AtomicInteger();

    private final AtomicInteger threads = new AtomicInteger();
    private final AtomicInteger active = new AtomicInteger();
    /** Turns that no thread has taken yet. */
    private final AtomicInteger turns = new AtomicInteger();
    /** Threads beyond the maximum, for min-threads constraints. */
    private final AtomicInteger extra = new AtomicInteger();

    private final LongAccumulator peakThreads = new LongAccumulator(Math::max, 0);
    private final LongAccumulator peakQueue = new LongAccumulator(Math::max, 0);
    private final BitSet numbers = new BitSet();
    private final ConcurrentMap<Integer, ExecuteThread> running = new ConcurrentHashMap<>();
    private final CompletableFuture<@Nullable Void> stopped = new CompletableFuture<>();
    private volatile boolean stopping;
    private volatile boolean retired;
    private @Nullable WorkManager owner;

    /** @param ordered whether classes or constraints order its work */
    ExecutePool(WorkManagerConfig config, Machine machine, ExecuteThreads factory, Clock clock, boolean ordered) {
        this.maxThreads = config.mostThreads(machine);
        this.minThreads = config.leastThreads(machine);
        this.queueCapacity = config.queueCapacity();
        this.idleNanos = config.idleTime().toNanos();
        this.factory = factory;
        this.clock = clock;
        this.order = ordered ? new FairQueue<>() : null;
    }

    /** Starts the minimum of threads; plain work of this pool belongs to the given work manager. */
    void start(WorkManager of) {
        owner = of;
        for (int i = 0; i < minThreads; i++) {
            if (!grow()) {
                throw new IllegalStateException("no thread could be started for the work manager " + of.name());
            }
        }
    }

    /** Whether there are neither threads nor a queue, so that work runs on the calling thread. */
    boolean disabled() {
        return maxThreads == 0 && queueCapacity == 0;
    }

    boolean ordered() {
        return order != null;
    }

    boolean stopping() {
        return stopping;
    }

    /** Whether the pool's plain work belongs to this work manager. */
    boolean belongsTo(WorkManager manager) {
        return owner == manager;
    }

    /** Accepts work of the owner, first come, first served; returns false if the pool is full or stopping. */
    boolean submit(Runnable task) {
        int now = enter();
        if (now < 0) {
            return false;
        }
        queue.add(task);
        if (now > threads.get()) {
            grow();
        }
        return true;
    }

    /** Accepts work in the order of classes; returns false if the pool is full or stopping. */
    boolean submit(WorkManager manager, ServiceClass of, Runnable task) {
        FairQueue<Ordered> ordered = order;
        if (ordered == null) {
            return submit(task);
        }
        if (enter() < 0) {
            return false;
        }
        Constraints constraints = manager.constraints();
        constraints.queued();
        ordered.add(new Ordered(manager, task), of, constraints, clock.nanos());
        turn();
        MinThreads min = constraints.min();
        if (min != null
                && threads.get() >= maxThreads
                && turns.get() + active.get() > threads.get()
                && min.tryStartExtra()) {
            extra.incrementAndGet();
            if (!start(t -> workFor(t, min))) {
                min.extraEnded();
                extra.decrementAndGet();
            }
        }
        return true;
    }

    private int enter() {
        int now = present.incrementAndGet();
        if (stopping || now > maxThreads + queueCapacity) {
            present.decrementAndGet();
            return -1;
        }
        if (now > maxThreads) {
            peakQueue.accumulate(now - maxThreads);
        }
        return now;
    }

    private void turn() {
        int n = turns.incrementAndGet();
        queue.add(Mark.TURN);
        if (n + active.get() > threads.get()) {
            grow();
        }
    }

    /** A max-threads constraint has a free place: if work waits for it, gives a thread a turn. */
    void freed(MaxThreads constraint) {
        FairQueue<Ordered> ordered = order;
        if (ordered != null && ordered.waits(g -> g instanceof Constraints c && c.max() == constraint)) {
            turn();
        }
    }

    /** Adds a thread unless the maximum is reached; returns false if the system cannot start one. */
    private boolean grow() {
        int n = threads.get();
        while (n < maxThreads) {
            if (threads.compareAndSet(n, n + 1)) {
                peakThreads.accumulate(n + 1);
                boolean started = start(this::work);
                if (!started) {
                    threads.decrementAndGet();
                }
                return started;
            }
            n = threads.get();
        }
        return true;
    }

    /**
     * Starts a thread; if the system or the container cannot provide one, counts that and returns false: the other
     * threads do its work.
     */
    private boolean start(Consumer<ExecuteThread> body) {
        int number;
        synchronized (numbers) {
            number = numbers.nextClearBit(0);
            numbers.set(number);
        }
        ExecuteThread me = new ExecuteThread(number);
        Thread thread = factory.create(number, () -> run(me, body));
        me.runs(thread);
        running.put(number, me);
        try {
            thread.start();
            return true;
        } catch (OutOfMemoryError e) {
            gone(number);
            owner().noThread(e);
            return false;
        }
    }

    private void gone(int number) {
        synchronized (numbers) {
            running.remove(number);
            numbers.clear(number);
        }
    }

    private void run(ExecuteThread me, Consumer<ExecuteThread> body) {
        try {
            body.accept(me);
        } finally {
            gone(me.number());
            if ((stopping || retired) && threads.get() > 0) {
                // it may have taken more than one wake-up, also that of a thread that does not wait yet
                queue.add(Mark.WAKE);
            }
            finishIfLast();
        }
    }

    private void work(ExecuteThread me) {
        for (Runnable task = next(); task != null; task = next()) {
            active.incrementAndGet();
            try {
                if (task == Mark.TURN) {
                    turns.decrementAndGet();
                    takeTurn(me, _ -> true);
                } else {
                    perform(me, owner(), task);
                }
            } finally {
                active.decrementAndGet();
            }
        }
    }

    /** Body of a thread beyond the maximum: does the work of one min-threads constraint until none is left. */
    private void workFor(ExecuteThread me, MinThreads min) {
        try {
            Predicate<FairQueue.Gate> mine = g -> g instanceof Constraints c && c.min() == min;
            while (takeTurn(me, mine)) {
                // until there is none
            }
        } finally {
            min.extraEnded();
            extra.decrementAndGet();
        }
    }

    private boolean takeTurn(ExecuteThread me, Predicate<FairQueue.Gate> which) {
        FairQueue<Ordered> ordered = order;
        FairQueue.Taken<Ordered> taken = ordered == null ? null : ordered.take(which);
        if (ordered == null || taken == null) {
            return false;
        }
        WorkManager manager = taken.thing().manager();
        Constraints constraints = manager.constraints();
        constraints.began();
        long began = clock.nanos();
        taken.of().waited(Math.max(0, began - taken.since()));
        try {
            perform(me, manager, taken.thing().task());
        } finally {
            ordered.took(taken, Math.max(0, clock.nanos() - began));
            taken.of().done();
            constraints.ended();
        }
        return true;
    }

    private void perform(ExecuteThread me, WorkManager manager, Runnable work) {
        boolean leaves = work instanceof WorkManager.Leaving;
        Runnable task = work instanceof WorkManager.Leaving l ? l.task() : work;
        me.begin(manager, task, clock.nanos());
        try {
            manager.run(task);
        } finally {
            me.end(clock.nanos());
            present.decrementAndGet();
            if (leaves) {
                manager.leave();
            }
        }
    }

    private WorkManager owner() {
        return Objects.requireNonNull(owner);
    }

    /** The next work or turn, or null if this thread must end; it is then no longer counted. */
    private @Nullable Runnable next() {
        while (true) {
            Runnable task = poll(stopping || retired ? 0 : idleNanos);
            if (task != null) {
                return task;
            }
            int n = threads.get();
            if ((stopping || retired || n > minThreads) && threads.compareAndSet(n, n - 1)) {
                return lastPoll();
            }
        }
    }

    /**
     * Polls once more, because work may have arrived while this thread was ending: it stays, unless another thread was
     * started in the meantime.
     */
    private @Nullable Runnable lastPoll() {
        Runnable task = poll(0);
        if (task == null) {
            return null;
        }
        for (int n = threads.get(); n < maxThreads; n = threads.get()) {
            if (threads.compareAndSet(n, n + 1)) {
                return task;
            }
        }
        queue.add(task);
        return null;
    }

    private void finishIfLast() {
        if (stopping && threads.get() == 0 && extra.get() == 0) {
            stopped.complete(null);
        }
    }

    private @Nullable Runnable poll(long nanos) {
        try {
            Runnable task = queue.poll(nanos, TimeUnit.NANOSECONDS);
            return task == Mark.WAKE ? null : task;
        } catch (InterruptedException e) {
            // A task left its thread interrupted: the interrupt ends with the task.
            return null;
        }
    }

    /** Stops accepting work and lets threads end once the queue is empty; completes when the last one has ended. */
    CompletableFuture<@Nullable Void> stop() {
        stopping = true;
        for (int i = threads.get(); i > 0; i--) {
            queue.add(Mark.WAKE);
        }
        finishIfLast();
        return stopped;
    }

    /** Marks the pool as replaced: it still does the work that it receives, but no thread waits for more. */
    void retire() {
        retired = true;
        for (int i = threads.get(); i > 0; i--) {
            queue.add(Mark.WAKE);
        }
    }

    /** Whether it was retired and has no work left. */
    boolean over() {
        return retired && present.get() == 0 && threads.get() == 0 && extra.get() == 0;
    }

    /** All its threads, busy or idle. */
    Collection<ExecuteThread> all() {
        return running.values();
    }

    /** Average duration of finished work in nanoseconds; 0 if none has finished. */
    long averageNanos() {
        long count = 0;
        long nanos = 0;
        for (ExecuteThread t : running.values()) {
            count += t.count();
            nanos += t.busyNanos();
        }
        return count == 0 ? 0 : nanos / count;
    }

    int threads() {
        return threads.get();
    }

    int extraThreads() {
        return extra.get();
    }

    int idleThreads() {
        return Math.max(0, threads.get() - active.get());
    }

    int peakThreads() {
        return (int) peakThreads.get();
    }

    int minThreads() {
        return minThreads;
    }

    int maxThreads() {
        return maxThreads;
    }

    int queued() {
        return Math.max(0, present.get() - active.get() - extra.get());
    }

    int peakQueued() {
        return (int) peakQueue.get();
    }

    int queueCapacity() {
        return queueCapacity;
    }
}
