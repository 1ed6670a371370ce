package io.weir.journal.recovery;

import io.weir.journal.damage.Describer;
import io.weir.journal.settings.JournalFault;
import java.nio.ByteBuffer;

/** Receives every live entry, in the order of ids, while a journal opens; on the opening thread. */
@FunctionalInterface
public interface Replay {
    /**
     * Receives one entry.
     *
     * @param id for its later removal
     * @param type as passed to {@code Group.add}
     * @param payload valid during the call only
     */
    void entry(long id, int type, ByteBuffer payload);

    /** Heap bytes available for what a start finds, including the journal's index. */
    default long heap() {
        return Long.MAX_VALUE;
    }

    /**
     * The index alone does not fit {@link #heap}: from now on entries are passed only to be counted, in any order,
     * including removed ones and copies; {@link #end} refuses.
     */
    default void crowded() {
        // cannot happen without a limit
    }

    /** Called after {@link #crowded} and all entries, with the upper bound of the whole index's size. */
    default void index(long bytes) {
        // cannot happen without a limit
    }

    /**
     * Called after the last entry.
     *
     * @throws JournalFault if the entries do not fit
     */
    default void end() throws JournalFault {
        // accepted
    }

    /** Describes entries; kept as long as the journal is open. */
    default Describer describer() {
        return Describer.NONE;
    }
}
