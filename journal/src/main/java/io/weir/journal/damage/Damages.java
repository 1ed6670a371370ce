package io.weir.journal.damage;

import java.io.IOException;
import java.util.List;

/** The damage of a journal that was found, also before a restart, until somebody acknowledges it. Shared. */
public interface Damages {
    /** The journal's name. */
    String journal();

    /** Damage not yet acknowledged, the oldest first. */
    List<Damage> open();

    /** How many more places there were than the list takes. */
    long beyond();

    /** Whether all damage was acknowledged. */
    default boolean isClear() {
        return open().isEmpty() && beyond() == 0;
    }

    /**
     * Somebody has seen it.
     *
     * @param upTo the highest number that he saw
     * @param by who
     * @return how many places that were
     * @throws IOException when it could not be written down; then nothing is acknowledged
     */
    int acknowledge(long upTo, String by) throws IOException;
}
