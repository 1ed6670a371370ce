package io.weir.journal;

import java.nio.ByteBuffer;

/** Is given every entry that lives, in the order of ids, while a journal opens; on the opening thread. */
@FunctionalInterface
public interface Replay {
    /**
     * One entry.
     *
     * @param id for its later removal
     * @param type as given to {@link Group#add}
     * @param payload valid during the call only
     */
    void entry(long id, int type, ByteBuffer payload);

    /** Says what entries are; kept as long as the journal is open. */
    default Describer describer() {
        return Describer.NONE;
    }
}
