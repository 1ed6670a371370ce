package io.weir.cluster.log;

/**
 * What a log's entries are applied to. Called on one thread of the log's choice at a time, in the log's order, the same
 * on every member.
 */
public interface ReplicatedState {
    /**
     * Applies an entry. Never throws for a bad command: the answer refuses it.
     *
     * @param index of the entry: rises over the life of the cluster, with gaps
     * @return the answer to its submitter
     */
    byte[] apply(long index, byte[] command);

    /** Everything applied so far, to begin a log or another member from. */
    byte[] snapshot();

    /**
     * Begins from a snapshot, in place of what was applied.
     *
     * @throws IllegalArgumentException when it is damaged or of a version that this program does not read, saying so
     */
    void restore(byte[] snapshot);

    /** This member became, or ceased to be, the log's leader. */
    void leadership(boolean leading, long term);
}
