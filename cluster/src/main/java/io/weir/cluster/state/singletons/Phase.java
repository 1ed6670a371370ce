package io.weir.cluster.state.singletons;

/** Where a singleton is in its life. */
public enum Phase {
    /** It wants a member, and none is there for it yet. */
    UNPLACED,
    /** A member was chosen; it acquires the lease once that is free. */
    PLACED,
    /** The chosen member has the lease and calls {@code activate}. */
    ACTIVATING,
    /** {@code activate} returned. */
    ACTIVE,
    /** It failed on every candidate; another circuit begins after the pause. */
    WAITING,
    /** All circuits failed: left deactivated until an operator resumes or migrates it, or it is redefined. */
    FAILED,
    /** An operator paused it, or it is not enabled. */
    PAUSED
}
