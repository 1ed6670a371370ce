package io.weir.broker;

import io.weir.base.Clock;
import io.weir.broker.loop.BrokerLoop;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** A loop of {@link SimulatedBroker}, which does one thing when it is its turn. Confined to the test's thread. */
public final class SimulatedLoop extends BrokerLoop {
    /** Which loop runs, and what all of them put off. */
    static final class Turns {
        private final Clock clock;
        private final PriorityQueue<Due> timers =
                new PriorityQueue<>(Comparator.comparingLong(Due::at).thenComparingLong(Due::order));
        private @Nullable SimulatedLoop current;
        private long order;

        Turns(Clock clock) {
            this.clock = clock;
        }

        long nextTimer() {
            Due first = timers.peek();
            return first == null ? Long.MAX_VALUE : first.at();
        }

        void runTimer() {
            Due first = timers.remove();
            first.loop().on(first.action());
        }
    }

    private record Due(long at, long order, SimulatedLoop loop, Runnable action) {}

    private final Turns turns;
    private final Queue<Runnable> waiting = new ArrayDeque<>();

    SimulatedLoop(int index, Clock clock, Turns turns) {
        super(index, clock);
        this.turns = turns;
    }

    /** Whether it has something to do. */
    public boolean waits() {
        return !waiting.isEmpty();
    }

    /** Does the next thing. */
    public void take() {
        on(waiting.remove());
    }

    /** Runs an action as this loop. */
    void on(Runnable action) {
        SimulatedLoop before = turns.current;
        turns.current = this;
        try {
            action.run();
        } finally {
            turns.current = before;
        }
    }

    @Override
    public boolean isCurrent() {
        return turns.current == this;
    }

    @Override
    public void post(Runnable action) {
        waiting.add(action);
    }

    @Override
    public boolean offer(Runnable action) {
        return waiting.add(action);
    }

    @Override
    public void catchUp() {
        while (!waiting.isEmpty()) {
            waiting.remove().run();
        }
    }

    @Override
    public Timer after(long nanos, Runnable action) {
        Due d = new Due(turns.clock.nanos() + Math.max(0, nanos), turns.order++, this, action);
        turns.timers.add(d);
        return () -> turns.timers.remove(d);
    }
}
