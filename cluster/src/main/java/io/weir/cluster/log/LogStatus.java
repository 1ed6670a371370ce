package io.weir.cluster.log;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the log stands on this member; a moment's view, for monitoring and explanations. Immutable.
 *
 * @param role what this member is in it
 * @param leader name of the leading member; null while none is known
 * @param term rises with each leadership
 * @param applied index of the last entry applied here
 * @param committed index of the last entry known here to be committed
 * @param peers all that keep the log, this member among them, by name
 */
public record LogStatus(Role role, @Nullable String leader, long term, long applied, long committed, List<Peer> peers) {
    /** What a peer is. */
    public enum Role {
        LEADER,
        FOLLOWER,
        CANDIDATE,
        /** Not part of it yet, or not any more. */
        NONE
    }

    /**
     * One that keeps the log.
     *
     * @param member its member's name
     * @param address where its log listens, for people; empty where it does not
     * @param witness votes, but holds nothing
     * @param lag entries that it is behind the leader; -1 where that is not known here
     */
    public record Peer(String member, String address, boolean witness, long lag) {}

    /** Of a log that is not open. */
    public static final LogStatus UNOPENED = new LogStatus(Role.NONE, null, 0, 0, 0, List.of());

    public LogStatus {
        peers = List.copyOf(peers);
    }

    public boolean leading() {
        return role == Role.LEADER;
    }
}
