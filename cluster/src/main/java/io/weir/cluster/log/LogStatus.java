package io.weir.cluster.log;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Status of the log on this member; a snapshot for monitoring and explanations. Immutable.
 *
 * @param role role of this member
 * @param leader name of the leading member; null while none is known
 * @param term rises with each leadership
 * @param applied index of the last entry applied here
 * @param committed index of the last entry known here to be committed
 * @param peers all replicas of the log, including this member, by name
 */
public record LogStatus(Role role, @Nullable String leader, long term, long applied, long committed, List<Peer> peers) {
    /** Role of a peer. */
    public enum Role {
        LEADER,
        FOLLOWER,
        CANDIDATE,
        /** Not yet, or no longer, a replica. */
        NONE
    }

    /**
     * A replica of the log.
     *
     * @param member the member's name
     * @param address address of its log, for display; empty if it does not listen
     * @param witness votes only, runs no singletons
     * @param lag number of entries that it lags behind the leader; -1 if unknown here
     */
    public record Peer(String member, String address, boolean witness, long lag) {}

    /** Status of a log that is not open. */
    public static final LogStatus UNOPENED = new LogStatus(Role.NONE, null, 0, 0, 0, List.of());

    public LogStatus {
        peers = List.copyOf(peers);
    }

    public boolean leading() {
        return role == Role.LEADER;
    }
}
