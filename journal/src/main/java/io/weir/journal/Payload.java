package io.weir.journal;

import java.nio.ByteBuffer;

/**
 * What an entry carries, written straight into the journal's buffer. Handed over with its group: from then on it is
 * touched by the journal's thread only, and {@link #release()} is called exactly once, whatever happened.
 */
public interface Payload {
    /** Bytes that {@link #writeTo} will put; must not change after submission. */
    int length();

    /** Puts exactly {@link #length()} bytes. Called at most once when added, on the journal's thread. */
    void writeTo(ByteBuffer buffer);

    /**
     * Called once, on the journal's thread, immediately before writing: false means that the entry is obsolete
     * (acknowledged meanwhile); it is then not written and counts as done. An implementation that can be cancelled
     * settles the race here, by one compare-and-set: after true it must be removed by its id.
     */
    default boolean wanted() {
        return true;
    }

    /** The journal needs it no more: written, skipped or refused. Called once, mostly on the journal's thread. */
    default void release() {
        // nothing held
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
