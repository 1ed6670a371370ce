package io.weir.server.cluster;

import io.weir.cluster.deploy.ArchiveContents;
import io.weir.cluster.deploy.ArchiveStore;
import io.weir.cluster.deploy.ContentsFrames;
import io.weir.cluster.deploy.ContentsServer;
import io.weir.cluster.deploy.Deployed;
import io.weir.cluster.deploy.Deployments;
import io.weir.cluster.deploy.WireContents;
import io.weir.cluster.members.MemberLogins;
import io.weir.cluster.node.ClusterNode;
import io.weir.cluster.singleton.ServiceSource;
import io.weir.cluster.state.members.MemberState;
import io.weir.wire.FrameRoutes;
import io.weir.wire.client.WireClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The deployments on this member: archives on its disk, those that it fetches from others and serves to them, and the
 * classes in them. Serves other members before it is opened. Shared.
 */
final class MemberDeployments implements AutoCloseable {
    private final MemberSetup setup;
    private final ArchiveStore archives;
    private final ContentsServer contentsServer;
    private volatile @Nullable WireClient client;
    private volatile @Nullable Deployments deployments;

    /**
     * Opens only the folder.
     *
     * @throws IOException if it cannot be created
     */
    MemberDeployments(MemberSetup setup) throws IOException {
        this.setup = setup;
        this.archives = new ArchiveStore(setup.folder().resolve("deployments"));
        this.contentsServer = new ContentsServer(archives, MemberLogins.GROUP, setup.log());
    }

    /** The frames with which other members fetch archives. */
    FrameRoutes.Route route() {
        return new FrameRoutes.Route(ContentsFrames.FIRST, ContentsFrames.LAST, false, contentsServer::frames);
    }

    /**
     * Opens them for a member that is not started yet.
     *
     * @param others creates the services that are not deployed
     * @return creates the deployed services, and the others
     */
    ServiceSource open(ClusterNode node, ServiceSource others) {
        Deployments opened = new Deployments(
                new Deployments.Parts(
                        node.self(),
                        setup.loop(),
                        node::now,
                        archives,
                        contents(node),
                        spec -> ConfiguredSingletons.configured(setup.config().singletons(), spec),
                        others,
                        setup.classes().loader(),
                        setup.section().deploy().maxSize().bytes(),
                        setup.stats(),
                        setup.log()),
                node::proposer);
        node.listen(opened);
        deployments = opened;
        return opened;
    }

    /** Archives that other members have. */
    private ArchiveContents contents(ClusterNode node) {
        if (setup.alone()) {
            return ArchiveContents.NONE;
        }
        WireClient opened = WireClient.open(setup.stats(), setup.log());
        client = opened;
        return new WireContents(
                opened,
                MemberLogins.credentials(setup.self(), setup.loginKey()),
                ToMembers.options(setup.config()),
                member -> {
                    MemberState m = node.now().member(member);
                    return m == null ? null : m.address();
                },
                setup.section().deploy().fetchTimeOut(),
                setup.loop().clock());
    }

    /** As {@link ClusterAccess#deploy}. */
    CompletableFuture<Deployed> change(String what, String name, Path archive, String by, String reason) {
        Deployments d = deployments;
        if (d == null) {
            throw new IllegalStateException("the cluster is not opened yet");
        }
        return switch (what) {
            case "deploy" -> d.deploy(name, archive, by, reason);
            case "redeploy" -> d.redeploy(name, archive, by, reason);
            default -> d.undeploy(name, by, reason);
        };
    }

    /** Stops fetching and unpacking for this member's services; archives are still served to others. */
    void closeServices() {
        Deployments d = deployments;
        if (d != null) {
            d.close();
        }
    }

    @Override
    public void close() {
        WireClient opened = client;
        if (opened != null) {
            opened.close();
        }
        contentsServer.close();
    }
}
