package io.weir.cluster.singleton;

/** What a singleton is to this member. */
public enum SingletonStage {
    /** Nothing of it is here. */
    ABSENT,
    /** It is placed here, and waits until fewer others are being activated. */
    QUEUED,
    /** Its lease was asked for. */
    ACQUIRING,
    /** The lease is held; {@code activate} runs. */
    ACTIVATING,
    /** {@code activate} returned. */
    ACTIVE,
    /** {@code deactivate} runs. */
    DEACTIVATING,
    /** Nothing of it runs; the lease is being released. */
    RELEASING,
    /** The lease is over and the fence dead here, but its code still runs. */
    ISOLATED;

    /** Whether code of the service's runs in it that is waited for. */
    boolean runs() {
        return this == ACTIVATING || this == ACTIVE || this == DEACTIVATING;
    }
}
