package io.weir.cluster.state.entry;

import io.weir.cluster.state.bytes.StateLimits;

/** Why a command changed nothing. */
public enum Refusal {
    /** No such member, lease, singleton, timer, deployment or name. */
    UNKNOWN_NAME,
    /** Not the lease's current fence: the proposer has lost it. */
    STALE_FENCE,
    /** Not the member's current incarnation. */
    STALE_INCARNATION,
    /** What the proposer saw has changed since. */
    CHANGED,
    /** The lease was acquired by this request once, and released. */
    DUPLICATE,
    /** The singleton is not placed on this member. */
    NOT_PLACED,
    /** Not a candidate, a witness, or preferred server of nothing. */
    NOT_CANDIDATE,
    /** The member is not alive, leaves, or is not yet seen by the log's new leader. */
    MEMBER_DOWN,
    /** The member is alive: what was asked for is for one that is not. */
    MEMBER_UP,
    /** It is there already. */
    ALREADY_THERE,
    /** It is paused. */
    PAUSED,
    /** Something else is bound, or a name above or below it is. */
    NAME_BOUND,
    /** The name belongs to another process, or another deployment. */
    NAME_TAKEN,
    /** Not in this phase, or another request is under way. */
    BUSY,
    /** A bound of {@link StateLimits} is reached. */
    LIMIT,
    /** Bytes that are no command, or values out of range. */
    MALFORMED,
    /** The configuration of a member that is alive has it, or a deployment. */
    CONFIGURED
}
