package io.weir.kernel.work;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A queue ordered by request classes: start-time fair queueing. Each class has a start tag in virtual time; the class
 * with the least tag is served, and its tag grows by the cost of the taken entry divided by its share. A class without
 * waiting entries starts at the current virtual time: credit is not saved up. Within a class, entries are served first
 * come, first served.
 *
 * <p>Response-time classes get their shares at each take: the sum of the weights of their goals ({@link #base}),
 * divided so that the resulting waits (by Little's law) are in the ratio of what the goals leave beside execution.
 *
 * <p>Shared, under a lock that is held for a few steps per class; created only if classes or constraints are
 * configured.
 */
public final class FairQueue<T> {
    /** An entry's assumed cost until one of its class is known, in nanoseconds. */
    private static final double UNKNOWN_COST = 1e6;

    private static final double SECOND = 1e9;
    /** Weight of the newest sample in the average. */
    private static final double NEWEST = 1.0 / 16;

    /** A constraint that can hold back or prefer the work of a lane. */
    public interface Gate {
        /** No constraint. */
        Gate OPEN = new Gate() {};

        /** Acquires what is needed to start one entry; returns false if that is not possible now. */
        default boolean pass() {
            return true;
        }

        /** Whether this work is entitled to a thread before all other work. */
        default boolean owed() {
            return false;
        }
    }

    /** A class's state in this queue. */
    private static final class Flow {
        private final ServiceClass of;
        private final Average cost = new Average();
        private double tag;
        private int backlog;

        Flow(ServiceClass of) {
            this.of = of;
        }
    }

    /** A running average, 0 while there is no sample. Written without a lock: a lost sample does not matter. */
    private static final class Average {
        private volatile double value;

        void add(double sample) {
            double before = value;
            value = before == 0 ? sample : before + (sample - before) * NEWEST;
        }

        double value() {
            return value;
        }
    }

    private record Waiter<T>(T thing, long number, long since) {}

    private final class Lane {
        private final Flow flow;
        private final Gate gate;
        private final ArrayDeque<Waiter<T>> waiters = new ArrayDeque<>();

        Lane(Flow flow, Gate gate) {
            this.flow = flow;
            this.gate = gate;
        }

        long first() {
            return waiters.isEmpty() ? Long.MAX_VALUE : waiters.getFirst().number();
        }
    }

    /** An entry taken from the queue, with its class and the start of its wait. */
    public static final class Taken<T> {
        private final T thing;
        private final Flow flow;
        private final long since;

        private Taken(T thing, Flow flow, long since) {
            this.thing = thing;
            this.flow = flow;
            this.since = since;
        }

        public T thing() {
            return thing;
        }

        ServiceClass of() {
            return flow.of;
        }

        long since() {
            return since;
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Flow> flows = new ArrayList<>();
    private final List<Lane> lanes = new ArrayList<>();
    private double virtualTime;
    private long numbers;
    private final Average cost = new Average();
    private final AtomicInteger size = new AtomicInteger();

    /** Adds an entry behind all others of its class. */
    public void add(T thing, ServiceClass of, Gate gate, long now) {
        lock.lock();
        try {
            Lane lane = lane(of, gate);
            Flow flow = lane.flow;
            if (flow.backlog++ == 0) {
                flow.tag = Math.max(flow.tag, virtualTime);
            }
            lane.waiters.add(new Waiter<>(thing, numbers++, now));
            size.incrementAndGet();
            of.queued();
        } finally {
            lock.unlock();
        }
    }

    private Lane lane(ServiceClass of, Gate gate) {
        for (Lane l : lanes) {
            if (l.flow.of == of && l.gate.equals(gate)) {
                return l;
            }
        }
        Lane made = new Lane(flow(of), gate);
        lanes.add(made);
        return made;
    }

    private Flow flow(ServiceClass of) {
        for (Flow f : flows) {
            if (f.of == of) {
                return f;
            }
        }
        Flow made = new Flow(of);
        flows.add(made);
        return made;
    }

    /** Takes the next entry, or returns null if no waiting entry may start now. */
    @Nullable
    public Taken<T> take() {
        return take(_ -> true);
    }

    /** As {@link #take()}, among the lanes whose gate fulfils the condition. */
    @Nullable
    Taken<T> take(Predicate<Gate> which) {
        lock.lock();
        try {
            List<Lane> held = List.of();
            for (Lane l = best(which, held); l != null; l = best(which, held)) {
                if (l.gate.pass()) {
                    return serve(l);
                }
                if (held.isEmpty()) {
                    held = new ArrayList<>();
                }
                held.add(l);
                // a class that a constraint holds back does not save up turns
                l.flow.tag = Math.max(l.flow.tag, virtualTime);
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Lane best(Predicate<Gate> which, List<Lane> held) {
        Lane best = null;
        boolean owed = false;
        for (Lane l : lanes) {
            if (l.waiters.isEmpty() || held.contains(l) || !which.test(l.gate)) {
                continue;
            }
            boolean due = l.gate.owed();
            if (best == null || (due && !owed) || (due == owed && before(l, best, owed))) {
                best = l;
                owed = due;
            }
        }
        return best;
    }

    private boolean before(Lane a, Lane b, boolean owed) {
        if (owed || a.flow.tag == b.flow.tag) {
            return a.first() < b.first();
        }
        return a.flow.tag < b.flow.tag;
    }

    private Taken<T> serve(Lane l) {
        Flow f = l.flow;
        Waiter<T> w = l.waiters.removeFirst();
        virtualTime = Math.max(virtualTime, f.tag);
        f.tag += cost(f) / share(f);
        gone(f);
        return new Taken<>(w.thing(), f, w.since());
    }

    private void gone(Flow f) {
        f.backlog--;
        size.decrementAndGet();
        f.of.left();
    }

    /** Removes all entries that fulfil the condition, at any position. */
    public void removeIf(Predicate<T> condition) {
        lock.lock();
        try {
            for (Lane l : lanes) {
                for (Iterator<Waiter<T>> all = l.waiters.iterator(); all.hasNext(); ) {
                    if (condition.test(all.next().thing())) {
                        all.remove();
                        gone(l.flow);
                    }
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether an entry waits in a lane whose gate fulfils the condition. */
    boolean waits(Predicate<Gate> which) {
        lock.lock();
        try {
            return lanes.stream().anyMatch(l -> !l.waiters.isEmpty() && which.test(l.gate));
        } finally {
            lock.unlock();
        }
    }

    public boolean isEmpty() {
        return size.get() == 0;
    }

    /** Updates the class's mean service time, by which its next entries are charged. */
    void took(Taken<T> taken, long nanos) {
        taken.flow.cost.add((double) nanos);
        cost.add((double) nanos);
    }

    private double cost(Flow f) {
        double known = f.cost.value() > 0 ? f.cost.value() : cost.value();
        return known > 0 ? known : UNKNOWN_COST;
    }

    private double share(Flow f) {
        if (f.of.goalNanos() == 0) {
            return f.of.share();
        }
        double together = 0;
        double weights = 0;
        for (Flow g : flows) {
            if (g.backlog > 0 && g.of.goalNanos() > 0) {
                together += base(g);
                weights += weight(g);
            }
        }
        return weights == 0 ? base(f) : together * weight(f) / weights;
    }

    private double weight(Flow f) {
        return f.backlog * cost(f) / tolerable(f);
    }

    /**
     * The weight of a response-time class against fair shares: one second of tolerable wait equals the default share.
     */
    private double base(Flow f) {
        return Math.clamp(ServiceClass.DEFAULT_SHARE * SECOND / tolerable(f), 1, 1000);
    }

    /** The time that the goal leaves for waiting beside execution; at least a tenth of the goal. */
    private double tolerable(Flow f) {
        double goal = (double) f.of.goalNanos();
        return Math.max(goal - f.cost.value(), goal / 10);
    }
}
