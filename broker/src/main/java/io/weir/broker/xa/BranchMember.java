package io.weir.broker.xa;

/** A session that works in a branch. On the branch's loop. */
public interface BranchMember {
    /**
     * The branch was rolled back while the session works in it: what the application has consumed goes back. Clients
     * acknowledge it only when they end their work.
     */
    void aborted();
}
