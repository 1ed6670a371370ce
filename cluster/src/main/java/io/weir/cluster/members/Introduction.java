package io.weir.cluster.members;

import io.weir.cluster.ratis.RatisPeer;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a member says of itself. Immutable.
 *
 * @param clusterName the cluster's name, as configured
 * @param voter its name, disk, and where its log listens
 * @param address host:port of its weir listener
 * @param cluster which cluster it is in, or goes to; null for none
 * @param leader name of the leader, where it knows one
 * @param names the members it heard of itself, its own name among them, in order
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
