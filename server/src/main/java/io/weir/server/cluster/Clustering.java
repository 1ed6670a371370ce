package io.weir.server.cluster;

import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.base.Live;
import io.weir.base.Log;
import io.weir.base.Stats;
import io.weir.broker.ServerSender;
import io.weir.cluster.config.ClusterConfig;
import io.weir.cluster.config.FailBack;
import io.weir.cluster.config.Leasing;
import io.weir.cluster.config.SingletonConfig;
import io.weir.cluster.lease.Held;
import io.weir.cluster.lease.LeaseRules;
import io.weir.cluster.log.ClusterLoop;
import io.weir.cluster.log.LogFault;
import io.weir.cluster.log.LogStatus;
import io.weir.cluster.members.MemberLogins;
import io.weir.cluster.members.MembershipParts;
import io.weir.cluster.node.ClusterNode;
import io.weir.cluster.node.NodeParts;
import io.weir.cluster.node.NodeSettings;
import io.weir.cluster.singleton.ServiceFault;
import io.weir.cluster.singleton.ServiceObject;
import io.weir.cluster.singleton.ServiceThreads;
import io.weir.cluster.state.Answer;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.Command;
import io.weir.cluster.state.FailBackMode;
import io.weir.cluster.state.SingletonSpec;
import io.weir.cluster.state.TimerState;
import io.weir.server.catalogue.ServerMessages;
import io.weir.server.config.WeirConfig;
import io.weir.wire.Authenticator;
import io.weir.wire.ClientOptions;
import io.weir.wire.FrameHandler;
import io.weir.wire.FrameRoutes;
import io.weir.wire.WireConnection;
import io.weir.wire.WireFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * This server as a member of its cluster: opened after its listeners, so that nothing is activated before what it needs is
 * there; left before the drain, so that its singletons move first. Shared; lives as long as the server.
 */
public final class Clustering implements ClusterAccess, AutoCloseable {
    /** Folder in the data directory. */
    public static final String FOLDER = "cluster";
    /** The process's status when a service that does not let go halts it. */
    public static final int HALTED = 86;

    private static final int THREADS_FOR_EACH = 4;

    private final WeirConfig config;
    private final Path folder;
    private final LibClasses classes;
    private final Stats stats;
    private final Log log;
    private final ClusterLoop loop;
    private final @Nullable String secret;
    private volatile @Nullable Running running;
    private volatile boolean joined;

    /** What there is once it is opened. */
    private record Running(ClusterNode node, Basis basis, ServiceThreads threads) {}

    /**
     * Opens nothing yet.
     *
     * @throws IOException when the secret cannot be read
     */
    public Clustering(Live<WeirConfig> live, Path dataDir, Clock clock, Stats stats, Log log) throws IOException {
        this.config = live.get();
        this.folder = dataDir.resolve(FOLDER);
        this.classes = new LibClasses(dataDir.resolve(config.cluster().libDir()));
        this.stats = stats;
        this.log = log;
        this.loop = new ClusterLoop(clock, Chance.unseeded(), stats, log);
        this.secret = readSecret();
    }

    private ClusterConfig section() {
        return config.cluster();
    }

    /** The frames between members: refused until this is opened. */
    public FrameRoutes.Route route() {
        return new FrameRoutes.Route(0x70, 0x7f, false, this::frames);
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

    /**
     * Opens the log.
     *
     * @param address host:port at which others reach this server's weir listener; empty where there is none
     * @param sender null while messaging does not run
     * @throws IOException when the log cannot be opened
     */
    public void open(String address, @Nullable ServerSender sender) throws IOException {
        String storage = StorageId.openOrCreate(folder);
        String at = section().advertise() == null ? address : section().advertise();
        NodeSettings settings = NodeSettings.of(section(), self(), storage, at);
        long incarnation = loop.chance().split().random().nextLong();
        ClusterNode node = new ClusterNode(settings, incarnation, loop, LeaseRules.SAFE, stats, log);
        Basis basis = basis(node, at);
        ServiceThreads threads = new ServiceThreads(
                loop, this::create, node.services(), section().maxConcurrentActivations() * THREADS_FOR_EACH, log);
        running = new Running(node, basis, threads);
    }

    /** Begins to take part: nothing is activated before, so the server is ready first. */
    public void join() {
        Running r = running();
        r.node().start(new NodeParts(r.basis().log(), r.basis().leases(), r.threads(), Clustering::halt));
        joined = true;
        define(r.node());
    }

    private Basis basis(ClusterNode node, String address) throws IOException {
        if (section().leasing() == Leasing.DATABASE) {
            return DatabaseBasis.open(section(), node.self(), classes.loader(), node.holder(), loop, stats, log);
        }
        if (section().alone()) {
            return LocalBasis.open(folder.resolve("log"), self(), node.holder(), loop, stats, log);
        }
        return ConsensusBasis.open(new MembershipParts(
                section(), secret, address, folder, node.holder(), loop, ClientOptions.DEFAULT, stats, log));
    }

    /** Lets other members in, where there may be some; users are the given one's. */
    public Authenticator logins(Authenticator users) {
        return section().alone() ? users : new MemberLogins(users, secret);
    }

    private @Nullable String readSecret() throws IOException {
        String file = section().secretFile();
        return file == null
                ? section().secret()
                : Files.readString(Path.of(file)).strip();
    }

    private ServiceObject create(SingletonSpec spec) throws ServiceFault {
        return ServiceObject.create(spec.className(), spec.properties(), classes.loader());
    }

    private void define(ClusterNode node) {
        List<SingletonSpec> specs = config.singletons().entrySet().stream()
                .map(e -> spec(e.getKey(), e.getValue()))
                .toList();
        var _ = node.define(specs).thenAccept(refused -> refused.forEach(r -> log.log(ServerMessages.NOT_DEFINED, r)));
    }

    static SingletonSpec spec(String name, SingletonConfig c) {
        return new SingletonSpec(
                name,
                c.className(),
                null,
                c.preferredServer().isEmpty() ? null : c.preferredServer(),
                c.candidateServers(),
                c.additionalMigrationAttempts(),
                c.sleepBetweenAttempts().toMillis(),
                mode(c.failBack()),
                c.failBackDelay().toMillis(),
                c.enabled(),
                new TreeMap<>(c.properties()));
    }

    private static FailBackMode mode(FailBack f) {
        return switch (f) {
            case OFF -> FailBackMode.OFF;
            case IMMEDIATE -> FailBackMode.IMMEDIATE;
            case AFTER -> FailBackMode.AFTER;
        };
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
        return r == null
                ? new LogStatus(LogStatus.Role.NONE, null, 0, 0, 0, List.of())
                : r.basis().log().status();
    }

    @Override
    public String waiting() {
        Running r = running;
        return r == null ? "for its listeners" : r.basis().waiting();
    }

    @Override
    public Map<String, Long> remaining() {
        Running r = running;
        return r == null
                ? Map.of()
                : r.node().held().stream().collect(Collectors.toMap(Held::lease, Held::remaining, (a, _) -> a));
    }

    @Override
    public @Nullable Instant next(TimerState timer) {
        return null;
    }

    @Override
    public CompletableFuture<Answer> propose(Command command, String by) {
        return joined
                ? running().node().proposer().propose(command, by)
                : CompletableFuture.failedFuture(new LogFault(LogFault.Kind.NOT_COMMITTED, "this server is starting"));
    }

    @Override
    public CompletableFuture<String> membership(String what, String member, String address) {
        return running().basis().membership(what, member, address);
    }

    /**
     * Leaves in order: singletons move to other members, or are deactivated; then the leases are given up. Returns when that
     * is done, or the patience is at an end.
     */
    public void leave(Duration patience) {
        Running r = running;
        if (r == null || !joined) {
            return;
        }
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
            r.threads().close();
            r.basis().close();
        }
        loop.close();
    }
}
