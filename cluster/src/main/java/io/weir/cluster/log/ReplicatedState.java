package io.weir.cluster.log;

/**
 * The state machine to which a log's entries are applied. Called on one thread of the log's choice at a time, in the
 * log's order, which is the same on every member.
 */
public interface ReplicatedState {
    /**
     * Applies an entry. Never throws for an invalid command: the answer refuses it.
     *
     * @param index of the entry: increases over the life of the cluster, with gaps
     * @return the answer to its submitter
     */
    byte[] apply(long index, byte[] command);

    /** A snapshot of everything applied so far, from which a log or another member can start. */
    byte[] snapshot();

    /**
     * Replaces the state by a snapshot.
     *
     * @throws IllegalArgumentException if it is damaged or has an unsupported version; the message says which
     */
    void restore(byte[] snapshot);

    /** This member became the log's leader, or is no longer the leader. */
    void leadership(boolean leading, long term);
}
