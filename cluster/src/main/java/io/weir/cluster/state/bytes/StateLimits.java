package io.weir.cluster.state.bytes;

import io.weir.cluster.Checkpoints;
import io.weir.cluster.state.entry.Refusal;

/**
 * Limits of the state. Constants, not knobs: members with different limits would have diverging states. At a limit a
 * command is refused with {@link Refusal#LIMIT}; the history drops its oldest line.
 */
public final class StateLimits {
    /** Characters of any name, path, class name, schedule or address. */
    public static final int NAME = 255;
    /** Characters of a reason or explanation; a longer one is truncated. */
    public static final int REASON = 1_000;
    /** Characters of a text bound in the naming tree, or stored by a singleton. */
    public static final int TEXT = Checkpoints.LONGEST;

    public static final int MEMBERS = 100;
    public static final int LEASES = 20_000;
    public static final int SINGLETONS = 10_000;
    public static final int CANDIDATES = MEMBERS;
    public static final int PROPERTIES = 100;
    public static final int BINDINGS = 10_000;
    public static final int INTERFACES = 32;
    public static final int TIMERS = 10_000;
    public static final int DEPLOYMENTS = 500;
    /** Checkpoints of all singletons, and of one; all are part of a snapshot. */
    public static final int CHECKPOINTS = 2_000;

    public static final int CHECKPOINTS_OF_ONE = Checkpoints.MOST;
    /** Characters of a URL that is purged: more than the cache's longest key. */
    public static final int URL = 8_192;
    /** Purges of the members' caches that are kept: a member that missed more empties its cache. */
    public static final int PURGES = 1_000;
    /** Characters of all their URLs; all are part of a snapshot. */
    public static final int PURGE_CHARS = 262_144;
    /** Maximum number of leases in one renewal. */
    public static final int RENEWALS = LEASES;
    /** Maximum number of lines of history. */
    public static final int HISTORY = 1_000;

    private StateLimits() {}
}
