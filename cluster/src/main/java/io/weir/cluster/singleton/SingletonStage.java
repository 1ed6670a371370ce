package io.weir.cluster.singleton;

/** Stages of a singleton on this member. */
public enum SingletonStage {
    /** Not on this member. */
    ABSENT,
    /** Placed on this member, waiting for an activation slot. */
    QUEUED,
    /** Its lease is being acquired. */
    ACQUIRING,
    /** The lease is held; {@code activate} runs. */
    ACTIVATING,
    /** {@code activate} returned. */
    ACTIVE,
    /** {@code deactivate} runs. */
    DEACTIVATING,
    /** Its code has stopped; the lease is being released. */
    RELEASING,
    /** The fence is revoked on this member, but its code still runs. */
    ISOLATED;

    /** Whether service code runs in this stage, other than isolated code. */
    boolean runs() {
        return this == ACTIVATING || this == ACTIVE || this == DEACTIVATING;
    }
}
