package io.weir.cluster.members;

import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.cluster.config.ClusterConfig;
import io.weir.cluster.log.Loop;
import io.weir.cluster.log.ReplicatedState;
import io.weir.wire.client.ClientOptions;
import io.weir.wire.login.LoginKey;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Dependencies of a membership.
 *
 * @param config the section cluster, with more than one member
 * @param secret the members' shared secret; null if none, which requires all to be on loopback
 * @param loginKey derived from the secret; null if none
 * @param address host:port at which other members reach this member's weir listener
 * @param directory directory of the identity and the log: {@code cluster} in the data directory
 * @param state the state to which the log's entries are applied
 * @param loop the member's thread
 * @param options options of connections to other members
 */
public record MembershipParts(
        ClusterConfig config,
        @Nullable String secret,
        @Nullable LoginKey loginKey,
        String address,
        Path directory,
        ReplicatedState state,
        Loop loop,
        ClientOptions options,
        Stats stats,
        Log log) {}
