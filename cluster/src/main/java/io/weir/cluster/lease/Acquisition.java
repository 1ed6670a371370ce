package io.weir.cluster.lease;

import org.jspecify.annotations.Nullable;

/** The result of an attempt to acquire a lease. Immutable. */
public sealed interface Acquisition {
    /**
     * The caller holds it: committed, and applied on this member.
     *
     * @param again it was already granted to an earlier attempt of the caller: the time of that grant and of its
     *     renewal is unknown
     */
    record Granted(Grant grant, boolean again) implements Acquisition {}

    /**
     * The caller does not hold it.
     *
     * @param holder the current holder; null if it was refused for another reason
     * @param reason for log messages and operators
     */
    record Refused(@Nullable Owner holder, String reason) implements Acquisition {}
}
