package io.weir.cluster;

import java.io.IOException;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * State of a singleton service that outlives its activation: short texts by key, durable in the cluster's log and
 * available to the next activation on any member. Looked up with {@code new InitialContext().lookup(Checkpoints.NAME)}
 * within {@code activate}, or from a thread of the service. Writes carry the fence of that activation, so writes of a
 * former activation are refused. A write returns once the cluster has committed it; it is not meant for many writes a
 * second. Removed when the singleton is undefined. Shared.
 */
public interface Checkpoints {
    /** JNDI name of the lookup. */
    String NAME = "weir/checkpoints";

    /** Maximum number of keys of a service. */
    int MOST = 100;

    /** Maximum length of a text in characters; of a key, 255. */
    int LONGEST = 4096;

    /** The text of a key; null if there is none. Texts of earlier activations are included. */
    @Nullable
    String get(String key);

    /** All current texts, by key. */
    SortedMap<String, String> all();

    /**
     * Stores a text, replacing the key's previous one.
     *
     * @throws FormerActivationException if another activation has begun: nothing is written
     * @throws IOException if a limit is reached (nothing is written), or if the cluster did not decide in time: the
     *     write may have been committed, or may still be. Retry with the same text, which is harmless; a different text
     *     may be overwritten by the write still in flight
     */
    void put(String key, String text) throws IOException;

    /**
     * Removes a key; succeeds also if there is none.
     *
     * @throws FormerActivationException if another activation has begun: nothing is removed
     * @throws IOException as for {@link #put}
     */
    void remove(String key) throws IOException;

    /** Thrown for a write of an activation that has ended: its lease is held with another fence, or free. */
    final class FormerActivationException extends IOException {
        private static final long serialVersionUID = 1L;

        /**
         * Created by the cluster, not by services.
         *
         * @param message which checkpoint was refused, and which fence holds now
         */
        public FormerActivationException(String message) {
            super(message);
        }
    }
}
