package io.weir.cluster.sim;

/**
 * One thing that goes wrong, or that an operator does, from one time to another. Immutable.
 *
 * @param from seconds since the beginning, in milliseconds
 * @param until when it ends; for what happens at once, the same
 * @param who the member it befalls, or the one that hears of it; {@link #HOLDER} for one that holds a singleton's lease then
 * @param other another member, or a singleton
 * @param dose how much
 */
record Fault(long from, long until, Kind kind, String who, String other, long dose) {
    /** Whoever holds a singleton's lease when the fault begins: there most goes wrong. */
    static final String HOLDER = "*";

    enum Kind {
        /** All processes die at once; each starts again within the dose of milliseconds after the end. */
        BLACKOUT,
        /** The process dies; what was not forced to its disk is lost; it starts again. */
        CRASH,
        /** The same, and its disk is empty when it starts again. */
        WIPE,
        /** It shuts down in order, then starts again. */
        RESTART,
        /** The process stands still, its clock does not. */
        FREEZE,
        /** Nobody hears it, and it hears nobody. */
        CUT_OFF,
        /** It hears nobody. */
        DEAF,
        /** Nobody hears it. */
        MUTE,
        /** Two members do not hear each other. */
        SPLIT,
        /** Messages take up to the dose of milliseconds. */
        SLOW_NETWORK,
        /** Its disk takes up to the dose of milliseconds for an entry. */
        SLOW_APPLY,
        /** Tasks wait up to the dose of milliseconds for its loop. */
        SLUGGISH,
        /** The database of a run with database leasing answers nobody. */
        DATABASE_DOWN,
        /** The dose's thousandths of submissions are lost, late, doubled or unanswered. */
        NASTY_LOG,
        /** Another member leads the log. */
        ELECTION,
        /** Its wall clock jumps by the dose of milliseconds. */
        WALL_JUMP,
        /** Activations on it fail. */
        ACTIVATION_FAILS,
        /** Activations on it hang until the end, and fail then. */
        ACTIVATION_HANGS,
        /** Activations on it take up to the dose of milliseconds. */
        ACTIVATION_SLOW,
        /** Deactivations on it hang until the end. */
        DEACTIVATION_HANGS,
        /**
         * At the next moment of the kind that {@code other} names, it stands still for the dose of milliseconds; an odd dose cuts
         * it off then.
         */
        AMBUSH_FREEZE,
        /** At that moment it dies, and starts again after the dose. */
        AMBUSH_CRASH,
        /** At that moment it is cut off for the dose. */
        AMBUSH_CUT,
        /** At that moment, wherever it is, an operator moves, stops or deploys anew what that member is busy with. */
        AMBUSH_OPERATOR,
        /** An operator moves a singleton to a member, then elsewhere, dose times. */
        MIGRATE,
        /** An operator stops a singleton, and lets it run again at the end. */
        PAUSE,
        /** An operator deploys a singleton's archive anew, dose times. */
        REDEPLOY,
        /** An operator takes a singleton's archive away, and deploys it again at the end. */
        UNDEPLOY,
        /** An operator takes a member out of the cluster, which is refused while it is alive. */
        REMOVE,
        /** The basis of leasing changes: all leases end, and every later fence is higher. */
        RAISE_EPOCH,
        /** An operator fires a timer out of turn. */
        FIRE_NOW,
        /** The process gets no thread for what ends services; in placements alone. */
        NO_THREADS,
        /** All others stand still; in placements alone. */
        FREEZE_OTHERS
    }

    /** The same, on a member that is known. */
    Fault on(String member) {
        return new Fault(from, until, kind, member, other, dose);
    }

    @Override
    public String toString() {
        return kind + "(" + who + (other.isEmpty() ? "" : ", " + other) + (dose == 0 ? "" : ", " + dose) + ") " + from
                + ".." + until + " ms";
    }
}
