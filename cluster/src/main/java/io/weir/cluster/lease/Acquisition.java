package io.weir.cluster.lease;

import org.jspecify.annotations.Nullable;

/** The answer to an attempt at a lease. Immutable. */
public sealed interface Acquisition {
    /**
     * It is the caller's: committed, and seen on this member.
     *
     * @param again the caller held it already by an earlier attempt: the time of that grant and of its renewal is
     * unknown
     */
    record Granted(Grant grant, boolean again) implements Acquisition {}

    /**
     * It is not.
     *
     * @param holder the present holder; null when it was refused for another reason
     * @param reason for the log and for people
     */
    record Refused(@Nullable Owner holder, String reason) implements Acquisition {}
}
