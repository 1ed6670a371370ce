package io.weir.kernel.connection;

import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The current activity of a connection, for perfdump's Sessions table. Written by the connection's muxer without
 * allocation or locks, read by monitoring threads, which may see the fields of two neighbouring requests mixed.
 */
public final class SessionState {
    private static final AtomicReferenceFieldUpdater<SessionState, SessionStatus> STATUS =
            AtomicReferenceFieldUpdater.newUpdater(SessionState.class, SessionStatus.class, "status");

    private static final long UNKNOWN = Long.MIN_VALUE;

    private CharSequence method = "";
    private CharSequence uri = "";
    private String virtualServer = "";
    private String function = "";
    private long since;
    private boolean begun;
    private volatile SessionStatus status = SessionStatus.IDLE;

    SessionState(long since) {
        this.since = since;
    }

    /**
     * A request begins to arrive; nothing is known about it yet, and the previous request's data is no longer shown.
     */
    void arriving() {
        begun = false;
        since = UNKNOWN;
        status(SessionStatus.REQUEST);
    }

    /** Sets the time since which the muxer has waited for the rest of the request. */
    void awaited(long nanos) {
        if (!begun) {
            since = nanos;
        }
    }

    /**
     * Sets the request's head. The texts must stay valid and unchanged until the next call of this method.
     *
     * @param nanos the clock's time when the request began
     */
    public void begin(CharSequence requestMethod, CharSequence requestUri, String server, long nanos) {
        begin(requestMethod, requestUri, server, nanos, SessionStatus.PROCESSING);
    }

    /**
     * Sets the request's head and its first status.
     *
     * @param nanos the clock's time when the request began
     */
    public void begin(
            CharSequence requestMethod, CharSequence requestUri, String server, long nanos, SessionStatus first) {
        method = requestMethod;
        uri = requestUri;
        virtualServer = server;
        function = "";
        since = nanos;
        begun = true;
        status(first);
    }

    /** The function (SAF) that now handles the request. */
    public void function(String name) {
        function = name;
    }

    /** Sets the session's status. */
    public void status(SessionStatus next) {
        // Ordered, but without the fence of a volatile write: three of them would be a good part of a hit's cost.
        STATUS.lazySet(this, next);
    }

    /** When the request began, by the clock. */
    long since() {
        return since;
    }

    public SessionStatus status() {
        return status;
    }

    /** The row for perfdump, or null if the connection is idle. */
    @Nullable
    Session row(long id, InetAddress client, long now) {
        SessionStatus s = status();
        if (s == SessionStatus.IDLE || s == SessionStatus.KEEP_ALIVE) {
            return null;
        }
        String address = client.getHostAddress();
        Duration age = since == UNKNOWN ? Duration.ZERO : Duration.ofNanos(Math.max(0, now - since));
        return begun
                ? new Session(id, s, address, age, virtualServer, method.toString(), uri.toString(), function)
                : new Session(id, s, address, age, "", "", "", "");
    }
}
