package io.weir.journal.recovery;

import io.weir.journal.damage.Describer;
import io.weir.journal.settings.JournalFault;
import java.nio.ByteBuffer;

/** Is given every entry that lives, in the order of ids, while a journal opens; on the opening thread. */
@FunctionalInterface
public interface Replay {
    /**
     * One entry.
     *
     * @param id for its later removal
     * @param type as given to {@code Group.add}
     * @param payload valid during the call only
     */
    void entry(long id, int type, ByteBuffer payload);

    /** Bytes of the heap that there are for what a start finds, the journal's index included. */
    default long heap() {
        return Long.MAX_VALUE;
    }

    /**
     * The index alone does not fit {@link #heap}: from now on entries are passed only to be counted, in any order,
     * removed ones and copies included; {@link #end} refuses.
     */
    default void crowded() {
        // with no bound it does not come to this
    }

    /** Called after {@link #crowded} and all entries, with the upper bound of the whole index's size. */
    default void index(long bytes) {
        // with no bound it does not come to this
    }

    /**
     * Called after the last entry.
     *
     * @throws JournalFault when that is more than fits
     */
    default void end() throws JournalFault {
        // it was not too much
    }

    /** Says what entries are; kept as long as the journal is open. */
    default Describer describer() {
        return Describer.NONE;
    }
}
