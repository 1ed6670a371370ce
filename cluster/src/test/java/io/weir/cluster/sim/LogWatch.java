package io.weir.cluster.sim;

/** Who looks over the model's shoulder. */
interface LogWatch {
    LogWatch NONE = new LogWatch() {};

    /** A member applied an entry. */
    default void applied(Replica by, Entry entry, byte[] answer) {}

    /** A member took a snapshot in place of entries. */
    default void installed(Replica by) {}

    /** A member believes from now on that it leads, or that it does not. */
    default void leads(Replica member, boolean leads, long term) {}
}
