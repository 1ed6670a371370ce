package io.weir.journal.damage;

import java.io.IOException;
import java.util.List;

/** The damage found in a journal, across restarts, until it is acknowledged. Shared. */
public interface Damages {
    /** The journal's name. */
    String journal();

    /** Damage not yet acknowledged, the oldest first. */
    List<Damage> open();

    /** Number of further places beyond the list's limit. */
    long beyond();

    /** Whether all damage was acknowledged. */
    default boolean isClear() {
        return open().isEmpty() && beyond() == 0;
    }

    /**
     * Acknowledges damage.
     *
     * @param upTo the highest number that was seen
     * @param by who acknowledges
     * @return the number of places acknowledged
     * @throws IOException if it could not be stored; then nothing is acknowledged
     */
    int acknowledge(long upTo, String by) throws IOException;
}
