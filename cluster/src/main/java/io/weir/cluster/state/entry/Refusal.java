package io.weir.cluster.state.entry;

import io.weir.cluster.state.bytes.StateLimits;

/** Reasons why a command was refused. */
public enum Refusal {
    /** No such member, lease, singleton, timer, deployment or name. */
    UNKNOWN_NAME,
    /** Not the lease's current fence: the proposer has lost the lease. */
    STALE_FENCE,
    /** Not the member's current incarnation. */
    STALE_INCARNATION,
    /** The state that the proposer saw has changed. */
    CHANGED,
    /** The lease was already acquired by this request, and released. */
    DUPLICATE,
    /** The singleton is not placed on this member. */
    NOT_PLACED,
    /** Not a candidate, a witness, or there is no preferred server. */
    NOT_CANDIDATE,
    /** The member is not alive, is leaving, or has not yet renewed its lease since the log's leader took over. */
    MEMBER_DOWN,
    /** The member is alive, but the command requires that it is not. */
    MEMBER_UP,
    /** It is already on that member. */
    ALREADY_THERE,
    /** It is paused. */
    PAUSED,
    /** Another value is bound, or a name above or below it. */
    NAME_BOUND,
    /** The name is used by another process, or another deployment. */
    NAME_TAKEN,
    /** Not possible in this phase, or another request is in progress. */
    BUSY,
    /** A limit of {@link StateLimits} is reached. */
    LIMIT,
    /** Bytes that are not a command, or values out of range. */
    MALFORMED,
    /** It is defined in the configuration of a live member, or in a deployment. */
    CONFIGURED
}
