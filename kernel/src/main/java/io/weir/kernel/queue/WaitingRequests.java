package io.weir.kernel.queue;

import io.weir.kernel.work.FairQueue;
import io.weir.kernel.work.WorkPlace;
import java.util.Iterator;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Requests that wait for a slot: first come, first served, or in the order of request classes. Shared. */
interface WaitingRequests {
    void add(WaitingRequest w);

    /** The next request, or null if none waits. */
    @Nullable
    WaitingRequest poll();

    boolean isEmpty();

    /** Removes the requests that fulfil the condition. */
    void removeIf(Predicate<WaitingRequest> condition);

    /** In the order of arrival, without locks. */
    final class Plain implements WaitingRequests {
        private final ConcurrentLinkedQueue<WaitingRequest> queue = new ConcurrentLinkedQueue<>();

        @Override
        public void add(WaitingRequest w) {
            queue.add(w);
        }

        @Override
        public @Nullable WaitingRequest poll() {
            return queue.poll();
        }

        @Override
        public boolean isEmpty() {
            return queue.isEmpty();
        }

        @Override
        public void removeIf(Predicate<WaitingRequest> condition) {
            for (Iterator<WaitingRequest> all = queue.iterator(); all.hasNext(); ) {
                if (condition.test(all.next())) {
                    all.remove();
                }
            }
        }
    }

    /** In the order of request classes; all requests cost the same, so shares are shares of requests. */
    final class ByClass implements WaitingRequests {
        private final FairQueue<WaitingRequest> queue = new FairQueue<>();

        @Override
        public void add(WaitingRequest w) {
            WorkPlace p = w.place();
            queue.add(w, p.manager().service(p.requestClass()), FairQueue.Gate.OPEN, w.since());
        }

        @Override
        public @Nullable WaitingRequest poll() {
            FairQueue.Taken<WaitingRequest> taken = queue.take();
            return taken == null ? null : taken.thing();
        }

        @Override
        public boolean isEmpty() {
            return queue.isEmpty();
        }

        @Override
        public void removeIf(Predicate<WaitingRequest> condition) {
            queue.removeIf(condition);
        }
    }
}
