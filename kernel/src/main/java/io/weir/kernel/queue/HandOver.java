package io.weir.kernel.queue;

import io.weir.kernel.queue.ConnectionQueue.QueuedRequest;
import io.weir.kernel.work.WorkPlace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * The requests that a muxer starts in high-concurrency mode. Each passes a thread of its work manager and comes back as
 * a task of its own, between which the muxer serves its sockets. Those of one turn of the muxer pass together, because
 * waking a thread costs more than the whole start: its work manager sees one piece of work for each turn. If the work
 * manager orders its work by class or constraint, each passes alone, in its order. It holds no more requests than have a
 * slot. One for each muxer; confined to it.
 */
final class HandOver {
    /** What becomes of a request that its work manager has refused. */
    interface Refusal {
        void refused(QueuedRequest r);
    }

    private final Executor muxer;
    private final Refusal refusal;
    private final Map<WorkPlace, List<QueuedRequest>> gathered = new LinkedHashMap<>();

    HandOver(Executor muxer, Refusal refusal) {
        this.muxer = muxer;
        this.refusal = refusal;
    }

    void add(WorkPlace place, QueuedRequest r) {
        if (place.manager().ordersWork()) {
            pass(place, List.of(r));
            return;
        }
        if (gathered.isEmpty()) {
            muxer.execute(this::passAll);
        }
        gathered.computeIfAbsent(place, _ -> new ArrayList<>()).add(r);
    }

    private void passAll() {
        Map<WorkPlace, List<QueuedRequest>> now = new LinkedHashMap<>(gathered);
        gathered.clear();
        now.forEach(this::pass);
    }

    private void pass(WorkPlace place, List<QueuedRequest> requests) {
        Runnable back = () -> requests.forEach(r -> muxer.execute(r::start));
        if (!place.manager().execute(place.requestClass(), back, true)) {
            requests.forEach(refusal::refused);
        }
    }
}
