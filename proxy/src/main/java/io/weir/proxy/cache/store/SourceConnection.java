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
    /** Of an answer that was read back: its connection's number. */
    private final long restored;

    private volatile boolean doubtful;
    // set once an answer is written below the memory
    private volatile @Nullable LowerTier tier;
    private long number;

    /**
     * Numbers of the connections that an answer was read from.
     *
     * @param body 0: unknown
     * @param head 0: the same as the body's
     */
    public record Numbers(long body, long head) {}

    /** The source object of a new connection. */
    public SourceConnection() {
        this(null, null, 0, null);
    }

    private SourceConnection(
            @Nullable SourceConnection body, @Nullable SourceConnection head, long restored, @Nullable LowerTier tier) {
        this.body = body;
        this.head = head;
        this.restored = restored;
        this.tier = tier;
    }

    /** The source of an answer that was read back from below the memory, by {@link #numbers}. */
    public static SourceConnection restored(Numbers numbers, LowerTier tier) {
        SourceConnection first = new SourceConnection(null, null, numbers.body(), tier);
        return numbers.head() == 0
                ? first
                : new SourceConnection(first, new SourceConnection(null, null, numbers.head(), tier), 0, tier);
    }

    /** Marks the connection: its answers may have been for other requests. */
    public void doubt() {
        LowerTier below;
        synchronized (this) {
            doubtful = true;
            below = tier;
        }
        if (below != null) {
            below.doubted(number);
        }
    }

    public boolean doubtful() {
        return itself() || (body != null && body.itself()) || (head != null && head.itself());
    }

    private boolean itself() {
        LowerTier below = tier;
        return doubtful || (restored != 0 && below != null && below.doubtful(restored));
    }

    /** The numbers of its connections, for what is written below the memory. */
    public Numbers numbers(LowerTier below) {
        return body == null || head == null
                ? new Numbers(number(below), 0)
                : new Numbers(body.number(below), head.number(below));
    }

    @SuppressWarnings("ReferenceEquality") // identity: it is one of a kind
    private long number(LowerTier below) {
        if (this == UNKNOWN || restored != 0) {
            return restored;
        }
        synchronized (this) {
            if (tier == null) {
                number = below.nextConnection();
                tier = below;
            }
            return number;
        }
    }

    /** The source of a stored body whose head was refreshed over another connection, replacing the former head's. */
    public SourceConnection freshenedBy(SourceConnection other) {
        SourceConnection kept = body == null ? this : body;
        return kept == other || other == UNKNOWN ? kept : new SourceConnection(kept, other, 0, null);
    }
}
