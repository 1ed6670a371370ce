package io.weir.cluster.kit;

import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.base.SteppedClock;
import io.weir.cluster.log.Cancellable;
import io.weir.cluster.log.Loop;
import java.time.Duration;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A loop whose time the test steps: everything due is run by the test's own thread. */
public final class TestLoop implements Loop {
    private static final Duration STEP = Duration.ofMillis(5);
    private static final int WAITS = 10_000;

    private final SteppedClock clock = new SteppedClock(1_700_000_000_000L);
    private final ConcurrentLinkedQueue<Runnable> handedOver = new ConcurrentLinkedQueue<>();
    private final PriorityQueue<Due> waiting = new PriorityQueue<>();
    private final Chance chance = Chance.seeded(1);
    private long order;

    private record Due(long at, long order, Runnable task) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
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
        handedOver.add(task);
    }

    @Override
    public Cancellable after(long nanos, Runnable task) {
        boolean[] cancelled = new boolean[1];
        waiting.add(new Due(clock.nanos() + Math.max(nanos, 0), order++, () -> {
            if (!cancelled[0]) {
                task.run();
            }
        }));
        return () -> cancelled[0] = true;
    }

    @Override
    public boolean here() {
        return true;
    }

    /** Runs what is due. */
    public void run() {
        boolean some = true;
        while (some) {
            some = false;
            for (Runnable r = handedOver.poll(); r != null; r = handedOver.poll()) {
                r.run();
                some = true;
            }
            Due next = waiting.peek();
            if (next != null && next.at() <= clock.nanos()) {
                waiting.remove().task().run();
                some = true;
            }
        }
    }

    /** Lets time pass, in small steps, and runs what is due at each. */
    public void pass(Duration time) {
        run();
        for (Duration gone = Duration.ZERO; gone.compareTo(time) < 0; gone = gone.plus(STEP)) {
            clock.step(STEP);
            run();
        }
    }

    /** Time passes while nothing runs: the process was stopped. */
    public void freeze(Duration time) {
        clock.step(time);
    }

    /** Runs what other threads hand over until the condition holds; time stands still. */
    public void until(String what, BooleanSupplier condition) {
        for (int i = 0; i < WAITS; i++) {
            run();
            if (condition.getAsBoolean()) {
                return;
            }
            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
        }
        throw new AssertionError("waited in vain: " + what);
    }
}
