package io.weir.kernel.queue;

import io.weir.kernel.work.WorkPlace;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/** A request in the connection queue. Shared: the thread that claims it starts or removes it. */
final class WaitingRequest {
    private final Executor muxer;
    private final ConnectionQueue.QueuedRequest request;
    private final WorkPlace place;
    private final long since;
    private final AtomicBoolean claimed = new AtomicBoolean();

    WaitingRequest(Executor muxer, ConnectionQueue.QueuedRequest request, WorkPlace place, long since) {
        this.muxer = muxer;
        this.request = request;
        this.place = place;
        this.since = since;
    }

    /** The event loop of its connection. */
    Executor muxer() {
        return muxer;
    }

    ConnectionQueue.QueuedRequest request() {
        return request;
    }

    WorkPlace place() {
        return place;
    }

    long since() {
        return since;
    }

    boolean claim() {
        return claimed.compareAndSet(false, true);
    }
}
