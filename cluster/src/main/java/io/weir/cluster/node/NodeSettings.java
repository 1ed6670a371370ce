package io.weir.cluster.node;

import io.weir.cluster.config.ClusterConfig;
import io.weir.cluster.config.Leasing;
import io.weir.cluster.config.MemberRole;
import io.weir.cluster.lease.LeaderSettings;
import io.weir.cluster.lease.LeaseTimes;
import io.weir.cluster.singleton.SingletonTimes;
import java.time.Duration;

/**
 * A member's settings. Immutable.
 *
 * @param cluster the cluster's name
 * @param member name of this member
 * @param storage identifier of its data directory, which survives restarts
 * @param address host:port at which other members reach its weir listener; empty if it has none
 * @param witness votes, but runs no singletons
 * @param leader settings that apply while it is the leader
 */
public record NodeSettings(
        String cluster,
        String member,
        String storage,
        String address,
        boolean witness,
        LeaseTimes times,
        SingletonTimes services,
        LeaderSettings leader) {
    /** From the section {@code cluster}. */
    public static NodeSettings of(ClusterConfig config, String member, String storage, String address) {
        LeaseTimes times = LeaseTimes.of(config.lease());
        SingletonTimes services = new SingletonTimes(
                config.activationTimeOut(),
                config.deactivationTimeOut(),
                config.maxConcurrentActivations(),
                config.haltOnHang());
        return new NodeSettings(
                config.name(),
                member,
                storage,
                address,
                config.role() == MemberRole.WITNESS,
                times,
                services,
                leader(config, times));
    }

    private static LeaderSettings leader(ClusterConfig config, LeaseTimes times) {
        Duration take = config.activationTimeOut().plus(times.timeToLive());
        boolean rows = config.leasing() == Leasing.DATABASE;
        return config.alone()
                ? LeaderSettings.alone(times, take)
                : new LeaderSettings(
                        times, take, config.initialBootDelay(), config.members().size(), rows);
    }
}
