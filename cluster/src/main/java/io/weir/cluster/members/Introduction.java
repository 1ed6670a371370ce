package io.weir.cluster.members;

import io.weir.cluster.ratis.RatisPeer;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A member's description of itself. Immutable.
 *
 * @param clusterName the cluster's name, as configured
 * @param voter its name, disk, and log address
 * @param address host:port of its weir listener
 * @param cluster the cluster that it is in or joins; null if none
 * @param leader name of the leader, if known
 * @param names sorted names of the members from which it received an introduction, including itself
 */
record Introduction(
        String clusterName,
        RatisPeer voter,
        String address,
        @Nullable UUID cluster,
        @Nullable String leader,
        List<String> names) {
    Introduction {
        names = List.copyOf(names);
    }

    String name() {
        return voter.name();
    }

    MembersView.Heard heard() {
        return new MembersView.Heard(voter.name(), voter.storage(), address, voter.witness(), cluster);
    }
}
