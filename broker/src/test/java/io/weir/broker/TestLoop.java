package io.weir.broker;

import io.weir.base.SteppedClock;
import io.weir.broker.loop.BrokerLoop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A loop that runs when the test says so; several take turns on the test's thread. */
final class TestLoop extends BrokerLoop {
    /** All loops of a test and which of them runs. */
    static final class Group {
        final SteppedClock clock = new SteppedClock(1_700_000_000_000L);
        final List<TestLoop> loops = new ArrayList<>();
        /** Decides whose turn it is; null: everything runs at once. */
        @Nullable
        RandomGenerator turns;

        /** Nothing that waits runs. */
        boolean held;

        private @Nullable TestLoop current;

        Group(int count) {
            for (int i = 0; i < count; i++) {
                loops.add(new TestLoop(i, this));
            }
        }

        /** Runs all that waits on any loop; or some of it, when turns are taken at random. */
        void settle() {
            if (held) {
                return;
            }
            RandomGenerator r = turns;
            if (r == null) {
                settleFully();
                return;
            }
            for (int i = r.nextInt(6); i > 0; i--) {
                TestLoop l = loops.get(r.nextInt(loops.size()));
                Runnable action = l.waiting.poll();
                if (action != null) {
                    l.on(action);
                }
            }
        }

        void settleFully() {
            boolean ran = true;
            while (ran) {
                ran = false;
                for (TestLoop l : loops) {
                    while (!l.waiting.isEmpty()) {
                        Runnable action = l.waiting.remove();
                        l.on(action);
                        ran = true;
                    }
                }
            }
        }

        /** Moves the clock forward, running timers at their times. */
        void step(Duration by) {
            long end = clock.nanos() + by.toNanos();
            for (TestLoop l = next(end); l != null; l = next(end)) {
                Due d = l.timers.remove();
                clock.step(Duration.ofNanos(Math.max(0, d.at - clock.nanos())));
                l.on(d.action);
                settle();
            }
            clock.step(Duration.ofNanos(end - clock.nanos()));
            settle();
        }

        private @Nullable TestLoop next(long end) {
            TestLoop first = null;
            for (TestLoop l : loops) {
                Due d = l.timers.peek();
                if (d != null && d.at <= end) {
                    Due best = first == null ? null : first.timers.peek();
                    if (best == null || d.at < best.at) {
                        first = l;
                    }
                }
            }
            return first;
        }
    }

    private record Due(long at, long order, Runnable action) {}

    private final Group group;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private final PriorityQueue<Due> timers =
            new PriorityQueue<>(Comparator.comparingLong(Due::at).thenComparingLong(Due::order));
    private long order;
    boolean full;

    private TestLoop(int index, Group group) {
        super(index, group.clock);
        this.group = group;
    }

    /** Runs an action as this loop. */
    void on(Runnable action) {
        TestLoop before = group.current;
        group.current = this;
        try {
            action.run();
        } finally {
            group.current = before;
        }
    }

    @Override
    public boolean isCurrent() {
        return group.current == this;
    }

    @Override
    public void post(Runnable action) {
        waiting.add(action);
    }

    @Override
    public boolean offer(Runnable action) {
        return !full && waiting.add(action);
    }

    @Override
    public void catchUp() {
        while (!waiting.isEmpty()) {
            waiting.remove().run();
        }
    }

    @Override
    public Timer after(long nanos, Runnable action) {
        Due d = new Due(group.clock.nanos() + nanos, order++, action);
        timers.add(d);
        return () -> timers.remove(d);
    }
}
