package io.weir.cluster.node;

import io.weir.cluster.config.ClusterConfig;
import io.weir.cluster.config.Leasing;
import io.weir.cluster.config.MemberRole;
import io.weir.cluster.lease.LeaderSettings;
import io.weir.cluster.lease.LeaseTimes;
import io.weir.cluster.singleton.SingletonTimes;
import java.time.Duration;

/**
 * A member's own settings. Immutable.
 *
 * @param cluster the cluster's name
 * @param member this member's
 * @param storage identity of its data directory, the same after a restart
 * @param address host:port of its weir listener, as the others reach it; empty when it has none
 * @param witness votes, but runs no singletons
 * @param leader what it goes by while it leads
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
    /** By the section {@code cluster}. */
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
