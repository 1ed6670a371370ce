package io.weir.proxy.cache;

import org.jspecify.annotations.Nullable;

/**
 * The connection that stored answers came from, as far as the store cares: once it turns out that answers on it may have
 * belonged to other requests, none of them is used any more. Shared; becomes doubtful on the connection's muxer, and stays
 * so.
 */
public final class Provenance {
    /** What is not from a connection. */
    static final Provenance UNKNOWN = new Provenance();

    /** Where the body came from, when the head came from elsewhere. */
    private final @Nullable Provenance body;

    private final @Nullable Provenance head;
    private volatile boolean doubtful;

    /** That of a connection. */
    public Provenance() {
        this(null, null);
    }

    private Provenance(@Nullable Provenance body, @Nullable Provenance head) {
        this.body = body;
        this.head = head;
    }

    /** Answers on the connection may have been for others. */
    public void doubt() {
        doubtful = true;
    }

    boolean doubtful() {
        return doubtful || (body != null && body.doubtful) || (head != null && head.doubtful);
    }

    /** That of the same body under a head from another connection; forgets where the head before came from. */
    Provenance freshenedBy(Provenance other) {
        Provenance kept = body == null ? this : body;
        return kept == other || other == UNKNOWN ? kept : new Provenance(kept, other);
    }
}
