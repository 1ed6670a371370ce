package io.weir.proxy.cache.store;

import org.jspecify.annotations.Nullable;

/** What is below the memory: told of all that the store takes in and of all that may not be used any more. */
public interface LowerTier {
    /** None. */
    LowerTier NONE = new LowerTier() {
        @Override
        public boolean stored(StoredObject object) {
            return true;
        }

        @Override
        public boolean removed(long hash) {
            return false;
        }

        @Override
        public int cleared() {
            return 0;
        }

        @Override
        public void doubted(long connection) {}

        @Override
        public boolean doubtful(long connection) {
            return false;
        }

        @Override
        public long nextConnection() {
            return 0;
        }

        @Override
        public long sinksFrom() {
            return Long.MAX_VALUE;
        }

        @Override
        public long sinksTo() {
            return 0;
        }

        @Override
        public @Nullable BodySink sink(CacheEntry entry, long length, BodySink.Listener listener) {
            return null;
        }
    };

    /**
     * An answer was stored, or replaced another. Store's lock held.
     *
     * @return false: its body is below, and is not kept there, so memory must not keep the answer either
     */
    boolean stored(StoredObject object);

    /** No answer of the key may be used from now on; returns whether there was one. Store's lock held. */
    boolean removed(long hash);

    /** No answer may be used from now on; returns how many there were. Store's lock held. */
    int cleared();

    /** Answers of a connection may have been for other requests: those may not be used from now on. */
    void doubted(long connection);

    /** Whether {@link #doubted} was called for it. Never waits. */
    boolean doubtful(long connection);

    /** A number for a connection, different from all others, also from those before a restart. */
    long nextConnection();

    /** Bytes from which on a body must be written while it arrives: {@link #stored} does not take larger ones. */
    long sinksFrom();

    /** Bytes of the largest body that can be written while it arrives; 0: none can. */
    long sinksTo();

    /**
     * Begins a body that is written while it arrives. Never waits.
     *
     * @param length in bytes, -1 if it is not known yet
     * @return null: it takes none now
     */
    @Nullable
    BodySink sink(CacheEntry entry, long length, BodySink.Listener listener);
}
