package io.weir.cluster.state.entry;

import io.weir.base.Fence;

/**
 * A line of the cluster's history. Immutable.
 *
 * @param index of the entry
 * @param name of the singleton, member, timer, deployment or lease
 * @param from member or phase before; may be empty
 * @param to member or phase after; may be empty
 * @param fence associated with the change, or NONE
 * @param reason for display
 * @param by the proposer: {@code member:NAME}, or an operator's name
 * @param atMillis the proposer's wall clock, milliseconds since 1970: shown, never compared
 */
public record Transition(
        long index,
        What what,
        String name,
        String from,
        String to,
        Fence fence,
        String reason,
        String by,
        long atMillis) {
    /** What changed. */
    public enum What {
        MEMBER,
        LEASE,
        SINGLETON,
        TIMER,
        DEPLOYMENT,
        CLUSTER
    }
}
