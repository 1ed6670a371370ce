package io.weir.cluster.purge;

import io.weir.cluster.state.purges.PurgeLog;

/** The caches of this member's other processes, which follow its purges, too. Used on the member's loop. */
public interface OtherCaches {
    /** A member of one process. */
    OtherCaches NONE = new OtherCaches() {
        @Override
        public void start(Runnable changed) {
            // nothing changes
        }

        @Override
        public void follow(PurgeLog to) {
            // nobody does
        }

        @Override
        public PurgePosition least(PurgePosition own) {
            return own;
        }

        @Override
        public boolean current() {
            return true;
        }

        @Override
        public void close() {
            // nothing is open
        }
    };

    /**
     * Called once, first.
     *
     * @param changed runs on the loop whenever one of them has applied something
     */
    void start(Runnable changed);

    /** They are to apply the purges up to the end of this log, which the cluster has confirmed. */
    void follow(PurgeLog to);

    /** How far all are, the first process with its own position included; none while that is not known. */
    PurgePosition least(PurgePosition own);

    /** Whether none of them waits for what it missed. From any thread. */
    boolean current();

    /** They are not to follow this process any more. From any thread. */
    void close();
}
