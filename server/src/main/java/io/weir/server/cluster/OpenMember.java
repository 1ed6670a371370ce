package io.weir.server.cluster;

import io.weir.broker.ServerSender;
import io.weir.cluster.config.ClusterConfig;
import io.weir.cluster.lease.LeaseSafety;
import io.weir.cluster.naming.ClusterNaming;
import io.weir.cluster.node.ClusterNode;
import io.weir.cluster.node.NodeParts;
import io.weir.cluster.node.NodeSettings;
import io.weir.cluster.singleton.ServiceFault;
import io.weir.cluster.singleton.ServiceObject;
import io.weir.cluster.singleton.ServiceSource;
import io.weir.cluster.singleton.ServiceThreads;
import io.weir.cluster.state.leases.Leases;
import io.weir.cluster.state.singletons.SingletonSpec;
import io.weir.journal.disk.Disk;
import io.weir.server.catalogue.ServerMessages;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A member whose log is open, assembled: the node, its basis, its timers, the names and calls of its services, the
 * threads of their code. Shared; lives from the opening to the close.
 */
final class OpenMember implements AutoCloseable {
    private static final int THREADS_FOR_EACH = 4;
    private static final Duration AGREEING = Duration.ofSeconds(3);

    private final MemberSetup setup;
    private final ClusterNode node;
    private final LeasingMark mark;
    private final Basis basis;
    private final MemberTimers timers;
    private final MemberDeployments deployments;
    private final MemberPurges purges;
    private final @Nullable MemberCaches caches;
    private final Calls calls;
    private final ServiceThreads threads;
    private volatile boolean joined;

    private OpenMember(
            MemberSetup setup,
            ClusterNode node,
            LeasingMark mark,
            Basis basis,
            MemberTimers timers,
            MemberDeployments deployments,
            MemberPurges purges,
            @Nullable MemberCaches caches,
            Calls calls,
            ServiceSource services) {
        this.setup = setup;
        this.node = node;
        this.mark = mark;
        this.basis = basis;
        this.timers = timers;
        this.deployments = deployments;
        this.purges = purges;
        this.caches = caches;
        this.calls = calls;
        int most = setup.section().maxConcurrentActivations() * THREADS_FOR_EACH;
        this.threads = new ServiceThreads(setup.loop(), calls.exposing(services), node.services(), most, setup.log());
    }

    /**
     * Opens the log and the other parts of the node.
     *
     * @param address host:port at which others reach this server's weir listener; empty where there is none
     * @param sender null while messaging does not run
     * @param others names of this server that are not in the cluster's tree
     * @param claimed where the log of a single member is, already locked; null to lock it now
     * @throws IOException when the log cannot be opened
     */
    static OpenMember open(
            MemberSetup setup,
            MemberDeployments deployments,
            MemberPurges purges,
            @Nullable MemberCaches caches,
            String address,
            @Nullable ServerSender sender,
            ClusterNaming.Others others,
            @Nullable Disk claimed)
            throws IOException {
        ClusterConfig section = setup.section();
        String storage = StorageId.openOrCreate(setup.folder());
        String at = section.advertise() == null ? address : section.advertise();
        NodeSettings settings = NodeSettings.of(section, setup.self(), storage, at);
        long incarnation = setup.loop().chance().split().random().nextLong();
        ClusterNode node =
                new ClusterNode(settings, incarnation, setup.loop(), LeaseSafety.SAFE, setup.stats(), setup.log());
        MemberTimers timers = new MemberTimers(setup, node, sender);
        LeasingMark mark = Bases.mark(setup, node);
        node.listen(mark);
        purges.listen(node);
        if (caches != null) {
            caches.listen(node);
        }
        node.aliveOnce(mark.cleared()::isDone);
        Calls calls = new Calls(
                node,
                section.invoke(),
                ToMembers.options(setup.config()),
                setup.loginKey(),
                others,
                setup.loop().clock(),
                setup.stats(),
                setup.log());
        Basis basis = Bases.open(setup, node, at, claimed);
        ServiceSource services = deployments.open(
                node, spec -> spec.name().equals(Leases.TIMERS_SERVICE) ? timers.service() : create(setup, spec));
        return new OpenMember(setup, node, mark, basis, timers, deployments, purges, caches, calls, services);
    }

    private static ServiceObject create(MemberSetup setup, SingletonSpec spec) throws ServiceFault {
        return ServiceObject.create(
                spec.className(), spec.properties(), setup.classes().loader());
    }

    ClusterNode node() {
        return node;
    }

    Basis basis() {
        return basis;
    }

    Calls calls() {
        return calls;
    }

    MemberDeployments deployments() {
        return deployments;
    }

    /** Starts to take part. */
    void join() {
        calls.install();
        node.start(new NodeParts(basis.log(), basis.leases(), threads, OpenMember::halt));
        purges.start(node);
        if (caches != null) {
            caches.start(node);
        }
        joined = true;
        var _ = mark.cleared()
                .thenRun(() -> new ConfiguredSingletons(setup.config(), node, setup.loop(), setup.log()).start());
    }

    /** Whether it has started to take part; before that it proposes nothing. */
    boolean joined() {
        return joined;
    }

    private static void halt() {
        Runtime.getRuntime().halt(Clustering.HALTED);
    }

    /** As {@link Clustering#leave}. */
    void leave(Duration most) {
        if (!joined) {
            return;
        }
        ClusterConfig c = setup.section();
        Duration wanted =
                c.deactivationTimeOut().plusNanos(c.lease().graceNanos()).plus(AGREEING);
        Duration patience = wanted.compareTo(most) < 0 ? wanted : most;
        try {
            node.leave(patience).get(patience.toMillis() + 1000, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            setup.log().log(ServerMessages.STOP_FAILED, e);
        }
    }

    @Override
    public void close() {
        node.close();
        calls.close();
        deployments.closeServices();
        threads.close();
        timers.close();
        basis.close();
    }
}
