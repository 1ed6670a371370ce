package io.weir.kernel;

import io.weir.base.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** All open connections of a kernel and what they do. Shared; touched once when a connection opens and closes. */
public final class Sessions {
    private final ConcurrentMap<Long, Connection> open = new ConcurrentHashMap<>();
    private final Clock clock;

    Sessions(Clock clock) {
        this.clock = clock;
    }

    /** The sessions that do something, oldest first; idle and keep-alive ones are left out, as in the seed. */
    public List<Session> active() {
        long now = clock.nanos();
        List<Session> rows = new ArrayList<>();
        for (Connection c : open.values()) {
            Session row = c.state().row(c.id(), c.remote().getAddress(), now);
            if (row != null) {
                rows.add(row);
            }
        }
        rows.sort(Comparator.comparing(Session::age).reversed().thenComparingLong(Session::id));
        return rows;
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

    Iterable<Connection> all() {
        return open.values();
    }
}
