package io.weir.server.cluster;

import io.weir.broker.ServerSender;
import io.weir.cluster.node.ClusterNode;
import io.weir.cluster.singleton.ServiceObject;
import io.weir.cluster.state.leases.Leases;
import io.weir.cluster.timer.TimerEngine;
import io.weir.cluster.timer.TimerParts;
import io.weir.cluster.timer.TimerService;
import io.weir.cluster.timer.TimerThreads;
import org.jspecify.annotations.Nullable;

/**
 * The cluster's timers on this member: the engine that fires while this member holds their lease, and the threads on
 * which listeners run. Opened with the member, closed after its services. Shared.
 */
final class MemberTimers implements AutoCloseable {
    private static final int AT_ONCE = 8;

    private final TimerThreads threads;
    private final TimerService service;

    /**
     * Creates the timers of a member that is not started yet.
     *
     * @param sender null while messaging does not run
     */
    MemberTimers(MemberSetup setup, ClusterNode node, @Nullable ServerSender sender) {
        ConfiguredTimers targets = new ConfiguredTimers(
                setup.config()::timers,
                sender == null ? null : sender::send,
                fence -> node.guard().admits("append", Leases.TIMERS, fence),
                setup.classes());
        this.threads = new TimerThreads(targets, AT_ONCE, setup.log());
        TimerEngine engine = new TimerEngine(new TimerParts(
                setup.loop(),
                node::now,
                node::proposer,
                fence -> node.guard().admits("fire", Leases.TIMERS, fence),
                threads,
                setup.stats(),
                setup.log()));
        node.listen(engine);
        this.service = new TimerService(setup.loop(), engine);
    }

    /** The singleton whose holder fires the timers. */
    ServiceObject service() {
        return new ServiceObject(service, service);
    }

    @Override
    public void close() {
        threads.close();
    }
}
