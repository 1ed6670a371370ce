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
 * What a membership is made of.
 *
 * @param config the section cluster, with more than one member
 * @param secret what members know each other by; null for none, where all are on loopback
 * @param loginKey made of it; null for none
 * @param address host:port at which the others reach this member's weir listener
 * @param directory where the identity and the log live: {@code cluster} in the data directory
 * @param state what the log's entries are applied to
 * @param loop the member's thread
 * @param options how this member connects to the others
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
