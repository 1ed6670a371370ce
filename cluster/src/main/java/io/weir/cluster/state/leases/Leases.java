package io.weir.cluster.state.leases;

import org.jspecify.annotations.Nullable;

/** Names of leases. */
public final class Leases {
    /** The singleton whose holder runs the cluster's timers. */
    public static final String TIMERS_SERVICE = "weir.timers";
    /** Its lease: a timer's firing is accepted only with the current fence of this one. */
    public static final String TIMERS = "singleton/" + TIMERS_SERVICE;

    /** Why a lease ended that the leader saw no renewal of: {@link LeaseEvent.Ended#reason}. */
    public static final String EXPIRED = "expired: no renewal for its time to live";
    /** Why a lease ended that a database's row says is over. */
    public static final String LOST = "lost in the database";

    private static final String MEMBER = "member/";
    private static final String SINGLETON = "singleton/";

    private Leases() {}

    /** Whether it is neither a member's nor a singleton's. */
    static boolean ofNobody(String lease) {
        return member(lease) == null && singleton(lease) == null;
    }

    /** The lease that is the member's being alive. */
    public static String ofMember(String member) {
        return MEMBER + member;
    }

    /** The lease of the singleton's owner. */
    public static String ofSingleton(String singleton) {
        return SINGLETON + singleton;
    }

    /** The member whose life the lease is; null when it is another kind of lease. */
    public static @Nullable String member(String lease) {
        return lease.startsWith(MEMBER) ? lease.substring(MEMBER.length()) : null;
    }

    /** The singleton whose lease it is; null when it is another kind of lease. */
    public static @Nullable String singleton(String lease) {
        return lease.startsWith(SINGLETON) ? lease.substring(SINGLETON.length()) : null;
    }
}
