package io.weir.server.cluster;

import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.broker.ServerSender;
import io.weir.cluster.config.ClusterConfig;
import io.weir.cluster.config.Leasing;
import io.weir.cluster.deploy.ArchiveStore;
import io.weir.cluster.deploy.Contents;
import io.weir.cluster.deploy.ContentsFrames;
import io.weir.cluster.deploy.ContentsServer;
import io.weir.cluster.deploy.Deployed;
import io.weir.cluster.deploy.Deployments;
import io.weir.cluster.deploy.WireContents;
import io.weir.cluster.lease.LeaseRules;
import io.weir.cluster.lease.LeaseTimes;
import io.weir.cluster.log.ClusterLoop;
import io.weir.cluster.log.LogFault;
import io.weir.cluster.log.LogStatus;
import io.weir.cluster.members.MemberLogins;
import io.weir.cluster.members.MembersFrame;
import io.weir.cluster.members.MembershipParts;
import io.weir.cluster.naming.ClusterNaming;
import io.weir.cluster.node.ClusterNode;
import io.weir.cluster.node.NodeParts;
import io.weir.cluster.node.NodeSettings;
import io.weir.cluster.singleton.ServiceFault;
import io.weir.cluster.singleton.ServiceObject;
import io.weir.cluster.singleton.ServiceThreads;
import io.weir.cluster.state.Answer;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.Command;
import io.weir.cluster.state.Leases;
import io.weir.cluster.state.MemberState;
import io.weir.cluster.state.SingletonSpec;
import io.weir.cluster.state.TimerState;
import io.weir.cluster.timer.TimerEngine;
import io.weir.cluster.timer.TimerParts;
import io.weir.cluster.timer.TimerService;
import io.weir.cluster.timer.TimerThreads;
import io.weir.cluster.timer.TimerView;
import io.weir.journal.Damages;
import io.weir.journal.Disk;
import io.weir.journal.FileDisk;
import io.weir.server.catalogue.ServerMessages;
import io.weir.server.config.WeirConfig;
import io.weir.wire.Authenticator;
import io.weir.wire.FrameHandler;
import io.weir.wire.FrameRoutes;
import io.weir.wire.LoginKey;
import io.weir.wire.NamingDirectory;
import io.weir.wire.NamingEntry;
import io.weir.wire.Principal;
import io.weir.wire.WireClient;
import io.weir.wire.WireConnection;
import io.weir.wire.WireFault;
import io.weir.wire.invoke.InvokeFrame;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * This server as a member of its cluster: opened after its listeners, so that nothing is activated before what it needs is
 * there; left before the drain, so that its singletons move first. Shared; lives as long as the server.
 */
public final class Clustering implements ClusterAccess, AutoCloseable {
    /** Folder in the data directory. */
    public static final String FOLDER = "cluster";
    /** Folder in it, of the log of a member alone. */
    public static final String LOG = "log";
    /** The process's status when a service that does not let go halts it. */
    public static final int HALTED = 86;

    private static final int THREADS_FOR_EACH = 4;
    private static final int TIMERS_AT_ONCE = 8;
    private static final Duration AGREEING = Duration.ofSeconds(3);

    private final WeirConfig config;
    private final Path folder;
    private final @Nullable Disk claimed;
    private final LibClasses classes;
    private final Stats stats;
    private final Log log;
    private final ClusterLoop loop;
    private final @Nullable String secret;
    private final @Nullable LoginKey loginKey;
    private final ArchiveStore archives;
    private final ContentsServer contentsServer;
    private volatile @Nullable Running running;
    private volatile boolean joined;
    private volatile @Nullable WireClient client;

    /** What there is once it is opened. */
    private record Running(
            ClusterNode node,
            LeasingMark mark,
            Basis basis,
            Deployments deployments,
            TimerThreads timers,
            ServiceThreads threads,
            Calls calls) {}

    /**
     * Opens nothing yet.
     *
     * @param claimed where the log of a member alone is, already locked; null to lock it when it is opened
     * @throws IOException when the secret cannot be read
     */
    public Clustering(Live<WeirConfig> live, Path dataDir, @Nullable Disk claimed, Clock clock, Stats stats, Log log)
            throws IOException {
        this.claimed = claimed;
        this.config = live.get();
        this.folder = dataDir.resolve(FOLDER);
        this.classes = new LibClasses(dataDir.resolve(config.cluster().libDir()));
        this.stats = stats;
        this.log = log;
        this.loop = new ClusterLoop(clock, Chance.unseeded(), stats, log);
        this.secret = readSecret();
        this.loginKey = secret == null || section().alone() ? null : LoginKey.of(secret);
        this.archives = new ArchiveStore(folder.resolve("deployments"));
        this.contentsServer = new ContentsServer(archives, MemberLogins.GROUP, log);
    }

    private ClusterConfig section() {
        return config.cluster();
    }

    /** The frames between members, where there are others: refused until this is opened. */
    public List<FrameRoutes.Route> routes() {
        return section().alone()
                ? List.of()
                : List.of(
                        new FrameRoutes.Route(MembersFrame.FIRST, MembersFrame.LAST, false, this::frames),
                        new FrameRoutes.Route(
                                ContentsFrames.FIRST, ContentsFrames.LAST, false, contentsServer::frames));
    }

    private FrameHandler frames(WireConnection connection) {
        Running r = running;
        FrameHandler handler = r == null ? null : r.basis().frames(connection);
        if (handler == null) {
            throw new WireFault(
                    WireFault.Reason.UNKNOWN_TYPE,
                    r == null ? "this member is starting: connect again" : "this server is no member among others");
        }
        return handler;
    }

    /** The frames of calls; who comes too early may come again. */
    public FrameRoutes.Route calls() {
        return new FrameRoutes.Route(InvokeFrame.FIRST, InvokeFrame.LAST, false, connection -> {
            Running r = running;
            if (r == null) {
                throw new WireFault(WireFault.Reason.BUSY, "this server is starting or stopping: connect again");
            }
            return r.calls().frames(connection);
        });
    }

    /** The names that services bound; none before this is opened. */
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
        Running r = running;
        return r == null ? NamingDirectory.empty() : r.calls().directory();
    }

    /**
     * Opens the log.
     *
     * @param address host:port at which others reach this server's weir listener; empty where there is none
     * @param sender null while messaging does not run
     * @param others names of this server that are not in the cluster's tree
     * @throws IOException when the log cannot be opened
     */
    public void open(String address, @Nullable ServerSender sender, ClusterNaming.Others others) throws IOException {
        String storage = StorageId.openOrCreate(folder);
        String at = section().advertise() == null ? address : section().advertise();
        NodeSettings settings = NodeSettings.of(section(), self(), storage, at);
        long incarnation = loop.chance().split().random().nextLong();
        ClusterNode node = new ClusterNode(settings, incarnation, loop, LeaseRules.SAFE, stats, log);
        ConfiguredTimers targets = new ConfiguredTimers(
                config::timers,
                sender == null ? null : sender::send,
                fence -> node.guard().admits("append", Leases.TIMERS, fence),
                classes);
        TimerThreads timers = new TimerThreads(targets, TIMERS_AT_ONCE, log);
        TimerEngine engine = new TimerEngine(new TimerParts(
                loop,
                node::now,
                node::proposer,
                fence -> node.guard().admits("fire", Leases.TIMERS, fence),
                timers,
                stats,
                log));
        node.listen(engine);
        LeasingMark mark = mark(node);
        node.listen(mark);
        node.aliveOnce(mark.cleared()::isDone);
        Calls calls = new Calls(
                node, section().invoke(), ToMembers.options(config), loginKey, others, loop.clock(), stats, log);
        Basis basis = basis(node, at);
        Deployments deployments = new Deployments(
                new Deployments.Parts(
                        node.self(),
                        loop,
                        node::now,
                        archives,
                        contents(node),
                        spec -> Definitions.configured(config.singletons(), spec),
                        spec -> spec.name().equals(Leases.TIMERS_SERVICE) ? timers(engine) : create(spec),
                        classes.loader(),
                        section().deploy().maxSize().bytes(),
                        stats,
                        log),
                node::proposer);
        node.listen(deployments);
        int threads = section().maxConcurrentActivations() * THREADS_FOR_EACH;
        running = new Running(
                node,
                mark,
                basis,
                deployments,
                timers,
                new ServiceThreads(loop, calls.exposing(deployments), node.services(), threads, log),
                calls);
    }

    /** Fences are higher than all before, also when something else gives them out than before. */
    private LeasingMark mark(ClusterNode node) throws IOException {
        boolean rows = section().leasing() == Leasing.DATABASE;
        String basis = rows ? LeasingMark.DATABASE : section().alone() ? "alone" : "consensus";
        Executor writer =
                write -> Thread.ofPlatform().daemon().name("weir.cluster.mark").start(write);
        LeasingMark mark = LeasingMark.open(folder, basis, loop, node::proposer, writer, log);
        if (rows && section().database().epoch() < mark.least()) {
            throw new IOException("cluster.database.epoch is "
                    + section().database().epoch()
                    + ", but services of this server had fences of epoch " + (mark.least() - 1)
                    + " before their leases were in a database: set it to " + mark.least() + " or more on all members");
        }
        return mark;
    }

    /** Archives that other members have. */
    private Contents contents(ClusterNode node) {
        if (section().alone()) {
            return Contents.NONE;
        }
        WireClient opened = WireClient.open(stats, log);
        client = opened;
        return new WireContents(
                opened,
                MemberLogins.credentials(self(), loginKey),
                ToMembers.options(config),
                member -> {
                    MemberState m = node.now().member(member);
                    return m == null ? null : m.address();
                },
                section().deploy().fetchTimeOut(),
                loop.clock());
    }

    /** Begins to take part: nothing is activated before, so the server is ready first. */
    public void join() {
        Running r = running();
        r.calls().install();
        r.node().start(new NodeParts(r.basis().log(), r.basis().leases(), r.threads(), Clustering::halt));
        joined = true;
        var _ = r.mark().cleared().thenRun(() -> new Definitions(config, r.node(), loop, log).tell());
    }

    private Basis basis(ClusterNode node, String address) throws IOException {
        if (section().leasing() == Leasing.DATABASE) {
            return DatabaseBasis.open(section(), node, classes.loader(), loop, stats, log);
        }
        if (section().alone()) {
            LeaseTimes times = LeaseTimes.of(section().lease());
            Disk disk = claimed == null ? new FileDisk(folder.resolve(LOG)) : claimed;
            return LocalBasis.open(disk, self(), node.holder(), loop, times, stats, log);
        }
        return ConsensusBasis.open(new MembershipParts(
                section(),
                secret,
                loginKey,
                address,
                folder,
                node.holder(),
                loop,
                ToMembers.options(config),
                stats,
                log));
    }

    /** Lets other members in, where there may be some; users are the given one's. */
    public Authenticator logins(Authenticator users) {
        return section().alone() ? users : new MemberLogins(users, loginKey);
    }

    private @Nullable String readSecret() throws IOException {
        String file = section().secretFile();
        if (file == null) {
            String secret = section().secret();
            return secret == null || secret.isEmpty() ? null : secret;
        }
        String secret = Files.readString(Path.of(file)).strip();
        if (secret.isEmpty()) {
            throw new IOException("cluster.secret-file " + file + " is empty");
        }
        return secret;
    }

    private ServiceObject timers(TimerEngine engine) {
        TimerService service = new TimerService(loop, engine);
        return new ServiceObject(service, service);
    }

    private ServiceObject create(SingletonSpec spec) throws ServiceFault {
        return ServiceObject.create(spec.className(), spec.properties(), classes.loader());
    }

    private static void halt() {
        Runtime.getRuntime().halt(HALTED);
    }

    private Running running() {
        Running r = running;
        if (r == null) {
            throw new IllegalStateException("the cluster is not opened yet");
        }
        return r;
    }

    @Override
    public String self() {
        return section().memberName(config.server().name());
    }

    @Override
    public String cluster() {
        return section().name();
    }

    @Override
    public String leasing() {
        return section().alone() ? "local" : section().leasing().name().toLowerCase(Locale.ROOT);
    }

    @Override
    public ClusterState now() {
        Running r = running;
        return r == null ? ClusterState.EMPTY : r.node().now();
    }

    @Override
    public LogStatus log() {
        Running r = running;
        return r == null ? LogStatus.UNOPENED : r.basis().log().status();
    }

    @Override
    public String waiting() {
        Running r = running;
        return r == null ? "for its listeners" : r.basis().waiting();
    }

    @Override
    public String fault() {
        Running r = running;
        return r == null ? "" : r.basis().log().fault();
    }

    @Override
    public @Nullable Damages damages() {
        Running r = running;
        return r == null ? null : r.basis().log().damages();
    }

    @Override
    public @Nullable Outage outage() {
        Running r = running;
        return r == null ? null : Outage.of(r.node(), r.basis(), section(), loop.clock());
    }

    @Override
    public Map<String, Long> remaining() {
        Running r = running;
        return r == null ? Map.of() : r.node().remaining();
    }

    @Override
    public Map<String, Long> estimates() {
        Running r = running;
        return r == null ? Map.of() : r.node().estimates();
    }

    @Override
    public @Nullable Instant next(TimerState timer) {
        return TimerView.of(timer).next();
    }

    @Override
    public CompletableFuture<Void> barrier() {
        return joined
                ? running().node().proposer().barrier()
                : CompletableFuture.failedFuture(new LogFault(LogFault.Kind.NOT_COMMITTED, "this server is starting"));
    }

    @Override
    public CompletableFuture<Answer> propose(Command command, String by) {
        return joined
                ? running().node().proposer().propose(command, by)
                : CompletableFuture.failedFuture(new LogFault(LogFault.Kind.NOT_COMMITTED, "this server is starting"));
    }

    @Override
    public CompletableFuture<Deployed> deploy(String what, String name, Path archive, String by, String reason) {
        Deployments d = running().deployments();
        return switch (what) {
            case "deploy" -> d.deploy(name, archive, by, reason);
            case "redeploy" -> d.redeploy(name, archive, by, reason);
            default -> d.undeploy(name, by, reason);
        };
    }

    @Override
    public CompletableFuture<String> membership(String what, String member, String address) {
        return running().basis().membership(what, member, address);
    }

    /**
     * Leaves in order: singletons move to other members, or are deactivated; then the leases are given up. Returns when that
     * is done, or the time is at an end: what deactivating may take, the grace of what is interrupted then, and a moment for the
     * others to agree; at most the time given.
     */
    public void leave(Duration most) {
        Running r = running;
        if (r == null || !joined) {
            return;
        }
        ClusterConfig c = section();
        Duration wanted =
                c.deactivationTimeOut().plusNanos(c.lease().graceNanos()).plus(AGREEING);
        Duration patience = wanted.compareTo(most) < 0 ? wanted : most;
        try {
            r.node().leave(patience).get(patience.toMillis() + 1000, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            log.log(ServerMessages.STOP_FAILED, e);
        }
    }

    @Override
    public void close() {
        Running r = running;
        if (r != null) {
            running = null;
            r.node().close();
            r.calls().close();
            r.deployments().close();
            r.threads().close();
            r.timers().close();
            r.basis().close();
        }
        WireClient opened = client;
        if (opened != null) {
            opened.close();
        }
        contentsServer.close();
        loop.close();
    }
}
