package io.weir.cluster;

import java.io.IOException;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * State of a singleton service that outlives its activation: short texts by key, durable in the cluster's log, there
 * for the next activation wherever that is. Found by {@code new InitialContext().lookup(Checkpoints.NAME)} within
 * {@code activate}, or from a thread of the service; it writes with the fence of that activation, so what a former
 * activation writes is refused. A write returns once the cluster has decided: many a second are not what it is for.
 * Gone when the singleton is undefined. Shared.
 */
public interface Checkpoints {
    /** Where it is found. */
    String NAME = "weir/checkpoints";

    /** Keys that one service may have. */
    int MOST = 100;

    /** Characters of a text; a key has at most 255. */
    int LONGEST = 4096;

    /** The text of a key; null when there is none. What was there before the activation began is there. */
    @Nullable
    String get(String key);

    /** All that is there now, by key. */
    SortedMap<String, String> all();

    /**
     * Remembers a text in place of what the key had.
     *
     * @throws FormerActivationException when another activation has begun: nothing is written
     * @throws IOException when a bound is reached (nothing is written), or the cluster did not decide in time: then it
     * may     have been written, or be written yet. Write the same again: it does no harm, whereas another text may be
     * overtaken     by the one that is still under way
     */
    void put(String key, String text) throws IOException;

    /**
     * Forgets a key; done also when there is none.
     *
     * @throws FormerActivationException when another activation has begun: nothing is forgotten
     * @throws IOException as for {@link #put}
     */
    void remove(String key) throws IOException;

    /** A write of an activation that is over: its lease is held with another fence, or free. */
    final class FormerActivationException extends IOException {
        private static final long serialVersionUID = 1L;

        public FormerActivationException(String message) {
            super(message);
        }
    }
}
