package io.weir.kernel;

import java.util.Iterator;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Where requests wait for a slot: first come, first served, or in the order of request classes. Shared. */
interface WaitingRoom {
    void add(Waiting w);

    /** The next, or null when none waits. */
    @Nullable
    Waiting poll();

    boolean isEmpty();

    /** Takes out those that fulfil the condition. */
    void removeIf(Predicate<Waiting> condition);

    /** In the order of arrival, without locks. */
    final class Plain implements WaitingRoom {
        private final ConcurrentLinkedQueue<Waiting> queue = new ConcurrentLinkedQueue<>();

        @Override
        public void add(Waiting w) {
            queue.add(w);
        }

        @Override
        public @Nullable Waiting poll() {
            return queue.poll();
        }

        @Override
        public boolean isEmpty() {
            return queue.isEmpty();
        }

        @Override
        public void removeIf(Predicate<Waiting> condition) {
            for (Iterator<Waiting> all = queue.iterator(); all.hasNext(); ) {
                if (condition.test(all.next())) {
                    all.remove();
                }
            }
        }
    }

    /** In the order of request classes; each request costs the same: shares are shares of requests. */
    final class ByClass implements WaitingRoom {
        private final FairQueue<Waiting> queue = new FairQueue<>();

        @Override
        public void add(Waiting w) {
            WorkPlace p = w.place();
            queue.add(w, p.manager().service(p.requestClass()), FairQueue.Gate.OPEN, w.since());
        }

        @Override
        public @Nullable Waiting poll() {
            FairQueue.Taken<Waiting> taken = queue.take();
            return taken == null ? null : taken.thing();
        }

        @Override
        public boolean isEmpty() {
            return queue.isEmpty();
        }

        @Override
        public void removeIf(Predicate<Waiting> condition) {
            queue.removeIf(condition);
        }
    }
}
