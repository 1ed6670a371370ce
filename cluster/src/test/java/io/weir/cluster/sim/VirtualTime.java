package io.weir.cluster.sim;

import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The true time of a simulation and what is to happen in it, in order. Confined to the simulation's thread. */
final class VirtualTime {
    static final long MILLI = 1_000_000L;
    static final long SECOND = 1_000 * MILLI;

    private record Due(long at, long order, Runnable task) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    private final PriorityQueue<Due> heap = new PriorityQueue<>();
    private long now;
    private long order;

    /** Nanoseconds since the simulation began. */
    long now() {
        return now;
    }

    /** Events of the same time happen in the order in which they were asked for. */
    void at(long when, Runnable task) {
        heap.add(new Due(Math.max(when, now), order++, task));
    }

    void after(long nanos, Runnable task) {
        at(now + Math.max(0, nanos), task);
    }

    /** Lets the next event happen; false where there is none until then. */
    boolean step(long until) {
        @Nullable Due next = heap.peek();
        if (next == null || next.at() > until) {
            now = until;
            return false;
        }
        heap.poll();
        now = next.at();
        next.task().run();
        return true;
    }
}
