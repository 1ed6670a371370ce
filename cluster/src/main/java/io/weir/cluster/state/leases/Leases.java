package io.weir.cluster.state.leases;

import org.jspecify.annotations.Nullable;

/** Names of leases. */
public final class Leases {
    /** The singleton whose holder runs the cluster's timers. */
    public static final String TIMERS_SERVICE = "weir.timers";
    /** Its lease: timer firings are accepted only with its current fence. */
    public static final String TIMERS = "singleton/" + TIMERS_SERVICE;

    /** {@link LeaseEvent.Ended#reason} of a lease without a renewal within its time to live. */
    public static final String EXPIRED = "expired: no renewal for its time to live";
    /** {@link LeaseEvent.Ended#reason} of a lease that ended in the database. */
    public static final String LOST = "lost in the database";

    private static final String MEMBER = "member/";
    private static final String SINGLETON = "singleton/";

    private Leases() {}

    /** Whether it is neither a member's nor a singleton's lease. */
    static boolean isOther(String lease) {
        return member(lease) == null && singleton(lease) == null;
    }

    /** The name of a member lease, whose owner is alive. */
    public static String ofMember(String member) {
        return MEMBER + member;
    }

    /** The name of a singleton's lease. */
    public static String ofSingleton(String singleton) {
        return SINGLETON + singleton;
    }

    /** The member of a member lease; null for another kind of lease. */
    public static @Nullable String member(String lease) {
        return lease.startsWith(MEMBER) ? lease.substring(MEMBER.length()) : null;
    }

    /** The singleton of a singleton's lease; null for another kind of lease. */
    public static @Nullable String singleton(String lease) {
        return lease.startsWith(SINGLETON) ? lease.substring(SINGLETON.length()) : null;
    }
}
