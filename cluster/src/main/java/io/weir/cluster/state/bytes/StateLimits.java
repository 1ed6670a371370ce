package io.weir.cluster.state.bytes;

import io.weir.cluster.Checkpoints;
import io.weir.cluster.state.entry.Refusal;

/**
 * Bounds of the state. Constants, not knobs: members that differed in one would come to different states. At a bound a
 * command is refused with {@link Refusal#LIMIT}; a history drops its oldest line.
 */
public final class StateLimits {
    /** Characters of any name, path, class name, schedule or address. */
    public static final int NAME = 255;
    /** Characters of a reason or explanation; a longer one is cut. */
    public static final int REASON = 1_000;
    /** Characters of a text bound in the naming tree, or remembered by a singleton. */
    public static final int TEXT = Checkpoints.LONGEST;

    public static final int MEMBERS = 100;
    public static final int LEASES = 10_000;
    public static final int SINGLETONS = 2_000;
    public static final int CANDIDATES = MEMBERS;
    public static final int PROPERTIES = 100;
    public static final int BINDINGS = 10_000;
    public static final int INTERFACES = 32;
    public static final int TIMERS = 2_000;
    public static final int DEPLOYMENTS = 500;
    /** Of all singletons, and of one: a snapshot holds them all. */
    public static final int CHECKPOINTS = 2_000;

    public static final int CHECKPOINTS_OF_ONE = Checkpoints.MOST;
    /** Leases in one renewal. */
    public static final int RENEWALS = LEASES;
    /** Lines of history that are kept. */
    public static final int HISTORY = 1_000;

    private StateLimits() {}
}
