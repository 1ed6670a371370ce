package io.weir.cluster.log;

import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.base.SteppedClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A loop that a test turns by hand: tasks run when it says so, time moves when it says so. */
public final class HandLoop implements Loop {
    private final SteppedClock clock;
    private final Chance chance = Chance.seeded(1);
    private final ConcurrentLinkedQueue<Runnable> ready = new ConcurrentLinkedQueue<>();
    private final List<Timed> timed = new ArrayList<>();
    private final Thread owner = Thread.currentThread();

    private record Timed(long at, Runnable task) {}

    public HandLoop(long startMillis) {
        clock = new SteppedClock(startMillis);
    }

    @Override
    public Clock clock() {
        return clock;
    }

    @Override
    public Chance chance() {
        return chance;
    }

    @Override
    public void execute(Runnable task) {
        ready.add(task);
    }

    @Override
    public Cancellable after(long nanos, Runnable task) {
        Timed t = new Timed(clock.nanos() + Math.max(0, nanos), task);
        timed.add(t);
        return () -> timed.remove(t);
    }

    @Override
    public boolean here() {
        return Thread.currentThread().equals(owner);
    }

    /** Runs what is ready, and what that makes ready. */
    public void run() {
        for (Runnable r = ready.poll(); r != null; r = ready.poll()) {
            r.run();
        }
    }

    /** Moves time on, running everything when it is due. */
    public void pass(Duration time) {
        long end = clock.nanos() + time.toNanos();
        run();
        for (Timed next = earliest(); next != null && next.at() <= end; next = earliest()) {
            timed.remove(next);
            clock.step(Duration.ofNanos(Math.max(0, next.at() - clock.nanos())));
            next.task().run();
            run();
        }
        clock.step(Duration.ofNanos(end - clock.nanos()));
    }

    private @org.jspecify.annotations.Nullable Timed earliest() {
        return timed.stream().min(Comparator.comparingLong(Timed::at)).orElse(null);
    }
}
