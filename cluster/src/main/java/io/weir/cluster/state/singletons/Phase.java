package io.weir.cluster.state.singletons;

/** Phases of a singleton. */
public enum Phase {
    /** It needs a member, but no candidate is up. */
    UNPLACED,
    /** A member was chosen, which acquires the lease once it is free. */
    PLACED,
    /** The chosen member holds the lease and calls {@code activate}. */
    ACTIVATING,
    /** {@code activate} returned. */
    ACTIVE,
    /** It failed on every candidate; the next circuit begins after the pause. */
    WAITING,
    /** All circuits failed: it stays deactivated until an operator resumes or migrates it, or it is redefined. */
    FAILED,
    /** An operator paused it, or it is not enabled. */
    PAUSED
}
