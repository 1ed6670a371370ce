package io.weir.cluster.members;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How this member stands to the others; a moment's view. Immutable.
 *
 * @param phase how far it came
 * @param name this member's
 * @param storage its disk's
 * @param cluster the cluster's, where it is in one
 * @param waiting what it waits for, for people; empty where it does not
 * @param heard the members it heard of
 */
public record MembersView(
        Phase phase, String name, UUID storage, @Nullable UUID cluster, String waiting, List<Heard> heard) {
    /** How far a member came. */
    public enum Phase {
        /** Looks for the others; a cluster that is there, or all that will form one. */
        SEEKING,
        /** Knows the cluster and waits to be let in. */
        JOINING,
        /** Keeps the log. */
        MEMBER,
        /** Was taken out, or its log failed: needs a restart. */
        ENDED,
        CLOSED
    }

    /**
     * A member that was heard of.
     *
     * @param name its name
     * @param storage its disk
     * @param address of its weir listener
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
