package io.weir.journal;

import java.nio.ByteBuffer;

/**
 * The content of an entry, written directly into the journal's buffer. Passed on with its group: from then on it is
 * used by the journal's thread only, and {@link #release()} is called exactly once in all cases.
 */
public interface Payload {
    /** Number of bytes that {@link #writeTo} writes; must not change after submission. */
    int length();

    /** Writes exactly {@link #length()} bytes. Called at most once, on the journal's thread. */
    void writeTo(ByteBuffer buffer);

    /**
     * Called once, on the journal's thread, immediately before writing: false means that the entry is obsolete
     * (acknowledged in the meantime); it is then not written and counts as done. An implementation that can be
     * cancelled resolves the race here, by one compare-and-set: after returning true it must be removed by its id.
     */
    default boolean wanted() {
        return true;
    }

    /**
     * The journal no longer needs it: it was written, skipped or refused. Called once, usually on the journal's thread.
     */
    default void release() {
        // nothing to release
    }

    /** A payload of these bytes. */
    static Payload of(byte[] bytes) {
        return new Payload() {
            @Override
            public int length() {
                return bytes.length;
            }

            @Override
            public void writeTo(ByteBuffer buffer) {
                buffer.put(bytes);
            }
        };
    }
}
