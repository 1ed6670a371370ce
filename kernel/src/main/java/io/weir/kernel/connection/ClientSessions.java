package io.weir.kernel.connection;

import io.weir.base.Clock;
import io.weir.kernel.work.RequestWork;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

/**
 * All open connections of a kernel with their current state, and the requests in which threads are stuck. Shared;
 * updated once when a connection opens and once when it closes.
 */
public final class ClientSessions {
    private final ConcurrentMap<Long, Connection> open = new ConcurrentHashMap<>();
    private final Clock clock;
    private final Supplier<List<RequestWork.Subject>> stuck;

    public ClientSessions(Clock clock, Supplier<List<RequestWork.Subject>> stuck) {
        this.clock = clock;
        this.stuck = stuck;
    }

    /**
     * The active sessions, oldest first: one per request where several requests share a connection. Idle and keep-alive
     * connections are left out, as in the Sun proxy. A request in which a thread is stuck is shown as stuck even if its
     * client already has the response.
     */
    public List<Session> active() {
        long now = clock.nanos();
        Set<Begun> hanging = new HashSet<>();
        List<Session> rows = new ArrayList<>();
        for (RequestWork.Subject s : stuck.get()) {
            hanging.add(new Begun(s.connection(), s.since()));
            rows.add(row(s, now));
        }
        for (Connection c : open.values()) {
            for (SessionState state : c.states()) {
                boolean shown = hanging.contains(new Begun(c.id(), state.since()));
                Session row = shown ? null : state.row(c.id(), c.remote().getAddress(), now);
                if (row != null) {
                    rows.add(row);
                }
            }
        }
        rows.sort(Comparator.comparing(Session::age).reversed().thenComparingLong(Session::id));
        return rows;
    }

    /** Identifies a request by its connection and its start time. */
    private record Begun(long connection, long since) {}

    private static Session row(RequestWork.Subject s, long now) {
        Duration age = Duration.ofNanos(Math.max(0, now - s.since()));
        return new Session(
                s.connection(),
                SessionStatus.STUCK,
                s.client(),
                age,
                s.virtualServer(),
                s.method(),
                s.uri(),
                s.function());
    }

    /** Open connections, idle ones included. */
    public int size() {
        return open.size();
    }

    void opened(Connection c) {
        open.put(c.id(), c);
    }

    void closed(Connection c) {
        open.remove(c.id());
    }

    public Iterable<Connection> all() {
        return open.values();
    }
}
