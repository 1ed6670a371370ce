package io.weir.server.cluster;

import io.weir.base.Clock;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.broker.ServerSender;
import io.weir.cluster.members.MemberLogins;
import io.weir.cluster.members.MembersFrame;
import io.weir.cluster.naming.ClusterNaming;
import io.weir.cluster.purge.PurgedCache;
import io.weir.journal.disk.Disk;
import io.weir.proxy.members.CacheOwners;
import io.weir.server.admin.AdminRouter;
import io.weir.server.admin.PurgeForwarder;
import io.weir.server.config.WeirConfig;
import io.weir.server.start.Post;
import io.weir.wire.FrameHandler;
import io.weir.wire.FrameRoutes;
import io.weir.wire.WireConnection;
import io.weir.wire.WireFault;
import io.weir.wire.invoke.InvokeFrame;
import io.weir.wire.login.Authenticator;
import io.weir.wire.login.Principal;
import io.weir.wire.naming.NamingDirectory;
import io.weir.wire.naming.NamingEntry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * This server as a member of its cluster: opened after its listeners, so that nothing is activated before its
 * dependencies are available; left before the drain, so that its singletons move first. Its parts are in {@link
 * OpenMember}. Shared; lives as long as the server.
 */
public final class Clustering implements AutoCloseable {
    /** Folder in the data directory. */
    public static final String FOLDER = "cluster";
    /** Folder in it for the log of a single member. */
    public static final String LOG = "log";
    /** The process's status when a service that does not return from {@code deactivate} halts it. */
    public static final int HALTED = 86;

    private final MemberSetup setup;
    private final @Nullable Disk claimed;
    private final MemberDeployments deployments;
    private final ClusterAccess access;
    private final MemberPurges purges;
    private @Nullable MemberCaches caches;
    private volatile @Nullable OpenMember opened;

    /**
     * Opens nothing yet.
     *
     * @param cache follows the purges of all members; null if there are no others
     * @param others the caches of this server's other processes
     * @param claimed where the log of a single member is, already locked; null to lock it when it is opened
     * @throws IOException if the secret cannot be read
     */
    public Clustering(
            Live<WeirConfig> live,
            Path dataDir,
            @Nullable PurgedCache cache,
            Post others,
            @Nullable Disk claimed,
            Clock clock,
            Stats stats,
            Log log)
            throws IOException {
        this.claimed = claimed;
        this.setup = MemberSetup.of(live.get(), dataDir, clock, stats, log);
        this.deployments = new MemberDeployments(setup);
        this.access = new MemberAccess(setup, () -> opened);
        this.purges = new MemberPurges(setup, access, cache, others);
    }

    /** Passes purges of the cache on to the other members. */
    public PurgeForwarder purges() {
        return purges;
    }

    /**
     * Other members may ask this one for what it has in its cache. Called before this is opened.
     *
     * @throws IOException if the cluster's certificates cannot be used
     */
    public MemberCaches caches(CacheOwners owners) throws IOException {
        MemberCaches made = new MemberCaches(setup, owners, purges::position);
        caches = made;
        return made;
    }

    /** The access of views and changes to this member. */
    public ClusterAccess access() {
        return access;
    }

    /** Registers its views and changes, once it is opened: a process that is not a member has none. */
    public void register(AdminRouter router) {
        if (opened == null) {
            return;
        }
        new ClusterViews(access, new ClusterFacts(access, setup.stats())).register(router);
        WeirConfig config = setup.config();
        Uploads uploads = new Uploads(
                setup.folder().resolve("uploads"),
                config.cluster().deploy().maxSize().bytes(),
                config.admin().maxBody().bytes(),
                setup.clock(),
                setup.stats());
        new ClusterChanges(access, uploads, setup.clock(), setup.log()).register(router);
    }

    /** The frames between members, if there are others: refused until this is opened. */
    public List<FrameRoutes.Route> routes() {
        return setup.alone()
                ? List.of()
                : List.of(
                        new FrameRoutes.Route(MembersFrame.FIRST, MembersFrame.LAST, false, this::frames),
                        deployments.route());
    }

    private FrameHandler frames(WireConnection connection) {
        OpenMember m = opened;
        FrameHandler handler = m == null ? null : m.basis().frames(connection);
        if (handler == null) {
            throw new WireFault(
                    WireFault.Reason.UNKNOWN_TYPE,
                    m == null
                            ? "this member is starting: connect again"
                            : "this server is not a member of a cluster" + " with others");
        }
        return handler;
    }

    /** The frames of calls; a call that arrives too early may be retried. */
    public FrameRoutes.Route calls() {
        return new FrameRoutes.Route(InvokeFrame.FIRST, InvokeFrame.LAST, false, connection -> {
            OpenMember m = opened;
            if (m == null) {
                throw new WireFault(WireFault.Reason.BUSY, "this server is starting or stopping: connect again");
            }
            return m.calls().frames(connection);
        });
    }

    /** The names bound by services; none before this is opened. */
    public NamingDirectory names() {
        return new NamingDirectory() {
            @Override
            public @Nullable NamingEntry lookup(String name, Principal user) {
                return directory().lookup(name, user);
            }

            @Override
            public List<NamingEntry> list(String prefix, Principal user) {
                return directory().list(prefix, user);
            }
        };
    }

    private NamingDirectory directory() {
        OpenMember m = opened;
        return m == null ? NamingDirectory.empty() : m.calls().directory();
    }

    /** Authenticates other members, if there may be some; users are left to the given authenticator. */
    public Authenticator logins(Authenticator users) {
        return setup.alone() ? users : new MemberLogins(users, setup.loginKey());
    }

    /**
     * Opens the log.
     *
     * @param address host:port at which others reach this server's weir listener; empty if there is none
     * @param sender null while messaging does not run
     * @param others names of this server that are not in the cluster's tree
     * @throws IOException if the log cannot be opened
     */
    public void open(String address, @Nullable ServerSender sender, ClusterNaming.Others others) throws IOException {
        opened = OpenMember.open(setup, deployments, purges, caches, address, sender, others, claimed);
    }

    /** Starts to take part: nothing is activated before, so the server is ready first. */
    public void join() {
        OpenMember m = opened;
        if (m == null) {
            throw new IllegalStateException("the cluster is not opened yet");
        }
        m.join();
    }

    /**
     * Leaves in order: singletons move to other members, or are deactivated; then the leases are released. Returns when
     * that is done, or after the time that deactivation may take, plus the grace of interrupted services and a moment
     * for the others to agree; at most the given time.
     */
    public void leave(Duration most) {
        OpenMember m = opened;
        if (m != null) {
            m.leave(most);
        }
    }

    @Override
    public void close() {
        OpenMember m = opened;
        if (m != null) {
            opened = null;
            m.close();
        }
        deployments.close();
        purges.close();
        if (caches != null) {
            caches.close();
        }
        setup.loop().close();
    }
}
