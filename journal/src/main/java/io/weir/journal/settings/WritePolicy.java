package io.weir.journal.settings;

/** When a write counts as done. The names are WebLogic's for SynchronousWritePolicy. */
public enum WritePolicy {
    /** Each write returns when the disk has it (O_DSYNC). */
    DIRECT_WRITE,
    /** Writes go to the system's cache and are forced once for each batch. */
    CACHE_FLUSH,
    /**
     * Neither: done when the operating system has the data. Survives a crash of the process, not of the machine:
     * messages may be lost or duplicated after a power failure.
     */
    DISABLED
}
