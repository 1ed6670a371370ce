package io.weir.proxy.cache.store;

import org.jspecify.annotations.Nullable;

/**
 * The connection that stored answers were read from, as the store sees it: once it turns out that its answers may have
 * belonged to other requests, none of them is used any more. Shared; becomes doubtful on the connection's muxer, and
 * stays so.
 */
public final class SourceConnection {
    /** For answers that were not read from a connection. */
    public static final SourceConnection UNKNOWN = new SourceConnection();

    /** The source of the body, if the head is from another connection. */
    private final @Nullable SourceConnection body;

    private final @Nullable SourceConnection head;
    private volatile boolean doubtful;

    /** The source object of a new connection. */
    public SourceConnection() {
        this(null, null);
    }

    private SourceConnection(@Nullable SourceConnection body, @Nullable SourceConnection head) {
        this.body = body;
        this.head = head;
    }

    /** Marks the connection: its answers may have been for other requests. */
    public void doubt() {
        doubtful = true;
    }

    public boolean doubtful() {
        return doubtful || (body != null && body.doubtful) || (head != null && head.doubtful);
    }

    /** The source of a stored body whose head was refreshed over another connection, replacing the former head's. */
    public SourceConnection freshenedBy(SourceConnection other) {
        SourceConnection kept = body == null ? this : body;
        return kept == other || other == UNKNOWN ? kept : new SourceConnection(kept, other);
    }
}
