package io.weir.proxy.cache.store;

import org.jspecify.annotations.Nullable;

/**
 * The connection that stored answers came from, as far as the store cares: once it turns out that answers on it may
 * have belonged to other requests, none of them is used any more. Shared; becomes doubtful on the connection's muxer,
 * and stays so.
 */
public final class SourceConnection {
    /** What is not from a connection. */
    public static final SourceConnection UNKNOWN = new SourceConnection();

    /** Where the body came from, when the head came from elsewhere. */
    private final @Nullable SourceConnection body;

    private final @Nullable SourceConnection head;
    private volatile boolean doubtful;

    /** That of a connection. */
    public SourceConnection() {
        this(null, null);
    }

    private SourceConnection(@Nullable SourceConnection body, @Nullable SourceConnection head) {
        this.body = body;
        this.head = head;
    }

    /** Answers on the connection may have been for others. */
    public void doubt() {
        doubtful = true;
    }

    public boolean doubtful() {
        return doubtful || (body != null && body.doubtful) || (head != null && head.doubtful);
    }

    /** The source of a stored body whose head was refreshed over another connection, in place of the former head's. */
    public SourceConnection freshenedBy(SourceConnection other) {
        SourceConnection kept = body == null ? this : body;
        return kept == other || other == UNKNOWN ? kept : new SourceConnection(kept, other);
    }
}
