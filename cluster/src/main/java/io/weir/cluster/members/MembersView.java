package io.weir.cluster.members;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of this member's membership. Immutable.
 *
 * @param phase phase of joining
 * @param name name of this member
 * @param storage identifier of its disk
 * @param cluster identifier of its cluster; null if none
 * @param waiting what it waits for, for display; empty if nothing
 * @param heard the members from which it received an introduction
 */
public record MembersView(
        Phase phase, String name, UUID storage, @Nullable UUID cluster, String waiting, List<Heard> heard) {
    /** Phases of joining. */
    public enum Phase {
        /** Searches for an existing cluster, or for all members that will form one. */
        SEEKING,
        /** Knows the cluster and waits to be admitted. */
        JOINING,
        /** Is a voter of the log. */
        MEMBER,
        /** Was removed, or its log failed: a restart is needed. */
        ENDED,
        CLOSED
    }

    /**
     * A known member.
     *
     * @param name its name
     * @param storage identifier of its disk
     * @param address host:port of its weir listener
     * @param witness votes only
     * @param cluster the cluster it is in, or null
     */
    public record Heard(
            String name,
            UUID storage,
            String address,
            boolean witness,
            @Nullable UUID cluster) {}

    public MembersView {
        heard = List.copyOf(heard);
    }
}
