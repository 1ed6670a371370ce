package io.weir.kernel;

import java.util.concurrent.atomic.AtomicBoolean;

/** A request in the connection queue. Shared: who claims it starts it or takes it out. */
final class Waiting {
    private final Connection connection;
    private final ConnectionQueue.QueuedRequest request;
    private final WorkPlace place;
    private final long since;
    private final AtomicBoolean claimed = new AtomicBoolean();

    Waiting(Connection connection, ConnectionQueue.QueuedRequest request, WorkPlace place, long since) {
        this.connection = connection;
        this.request = request;
        this.place = place;
        this.since = since;
    }

    Connection connection() {
        return connection;
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
