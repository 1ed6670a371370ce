package io.weir.server;

import io.weir.base.Clock;
import io.weir.base.Durations;
import io.weir.base.Live;
import io.weir.base.Stats;
import io.weir.kernel.DrainReport;
import io.weir.kernel.Kernel;
import io.weir.kernel.KernelParts;
import io.weir.kernel.connection.Protocol;
import io.weir.kernel.listen.BindFailure;
import io.weir.kernel.listen.Listener;
import io.weir.kernel.listen.ListenerProtocol;
import io.weir.server.admin.AdminConfig;
import io.weir.server.admin.AdminListener;
import io.weir.server.admin.AdminRouter;
import io.weir.server.catalogue.ServerMessages;
import io.weir.server.cluster.ClusterFacts;
import io.weir.server.cluster.Clustering;
import io.weir.server.config.KnobService;
import io.weir.server.config.WeirConfig;
import io.weir.server.files.DataDirectory;
import io.weir.server.files.Processes;
import io.weir.server.history.Recorder;
import io.weir.server.log.JdkLogging;
import io.weir.server.log.NettyLogging;
import io.weir.server.log.ServerLog;
import io.weir.server.monitor.MonitorViews;
import io.weir.server.monitor.PrometheusView;
import io.weir.server.monitor.source.Facts;
import io.weir.server.users.AdminToken;
import io.weir.server.users.Administrators;
import io.weir.server.users.FileRealm;
import io.weir.server.users.RealmLogins;
import io.weir.server.users.WireRealm;
import io.weir.wire.login.CheckedLogins;
import io.weir.wire.login.LoginConfig;
import io.weir.wire.naming.NamingDirectory;
import io.weir.wire.server.WireConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The running server: holds the data directory, then log, kernel, proxy, messaging, listeners, cluster and admin listener, started in that
 * order. It leaves the cluster first, then drains, then closes all in the reverse order. Shared; started and stopped by one thread each.
 */
public final class Server implements Running {
    /** Exit status of a server that failed and ended by itself: EX_SOFTWARE. */
    public static final int FAILED = 70;

    /** Where messaging is reached, in the pid file. */
    public static final String MESSAGING = "messaging";

    /** What is opened, last first: the order of closing. */
    private final Deque<AutoCloseable> opened = new ConcurrentLinkedDeque<>();

    private final ServerParts parts;
    private final Stats stats = new Stats();
    private final Live<WeirConfig> live;
    private final Share share;
    private final @Nullable DataDirectory data;
    private final ServerLog log;
    private final KnobService knobs;
    private final ServerFacts facts;
    private final CheckedLogins logins;
    private final Kernel kernel;
    private final Engine engine;
    private final @Nullable Messaging messaging;
    private final OwnNames names;
    private final Clustering clustering;
    private final @Nullable AdminListener admin;
    private volatile long readyMillis = -1;
    private volatile boolean announced;

    private Server(ServerParts parts) throws IOException, BindFailure {
        this.parts = parts;
        this.share = parts.share();
        this.live = new Live<>(parts.loaded().value());
        try {
            this.data = share.supervised() ? null : open(DataDirectory.open(parts.dataDir()));
            Claims claims = open(new Claims(parts.dataDir(), config(), share));
            String open = data == null ? "" : data.tidy();
            this.log = open(
                    new ServerLog(live.part(c -> c.server().log()), share.folder(), clock(), stats, parts.stdout()));
            NettyLogging.into(log);
            JdkLogging.into(log);
            if (!open.isEmpty()) {
                log.log(ServerMessages.DATA_DIR_OPEN, parts.dataDir(), open);
            }
            this.live.observe(c -> stats.collect(c.server().statistics()));
            this.knobs = new KnobService(parts.loaded(), live, parts.dataDir(), share.first(), clock(), stats, log);
            AdminToken token = token();
            this.kernel = open(new Kernel(
                    new KernelParts(live.part(WeirConfig::kernel), config().workManagers(), clock(), stats, log)
                            .with(live.part(WeirConfig::work))
                            .sharing(share.tickets())));
            this.logins = open(checkedLogins());
            this.engine = open(Engine.start(kernel, live, parts, new RealmLogins(logins), stats, log));
            siblings().beside(share.beside());
            this.facts = new ServerFacts(parts, live, kernel, engine, stats, log);
            this.messaging = share.first() && Messaging.wanted(config())
                    ? open(Messaging.start(kernel, live, claims.messages(), clock(), stats, log))
                    : null;
            if (messaging != null) {
                facts.messaging(new MessagingFacts(messaging.broker().admin(), stats));
            }
            this.names = new OwnNames(
                    config().server().name(),
                    messaging == null
                            ? NamingDirectory.empty()
                            : messaging.broker().directory());
            this.clustering = open(clustering(claims));
            Listening listening = listen();
            names.at(listening.messagingUrl());
            openCluster(listening);
            if (!share.supervised()) {
                open(new Recorder(parts.dataDir(), live.part(WeirConfig::history), clock(), stats, log))
                        .start();
            }
            this.admin = config().admin().enabled() || share.supervised() ? open(admin(token, engine)) : null;
        } catch (IOException | BindFailure | RuntimeException e) {
            StartFailure.tell(opened, e);
            closeAll();
            throw e;
        }
    }

    /**
     * Starts a server; it is ready when this returns.
     *
     * @throws StartFailure saying why not; everything is closed again then
     */
    public static Server start(ServerParts parts) throws StartFailure {
        try {
            Server server = new Server(parts);
            server.ready();
            return server;
        } catch (IOException | BindFailure e) {
            throw StartFailure.of(e);
        }
    }

    private Clock clock() {
        return parts.clock();
    }

    private WeirConfig config() {
        return live.get();
    }

    private AdminToken token() throws IOException {
        AdminToken token = AdminToken.openOrCreate(parts.dataDir());
        if (token.created()) {
            log.log(ServerMessages.TOKEN_CREATED, parts.dataDir().resolve(AdminToken.FILE));
        }
        return token;
    }

    private CheckedLogins checkedLogins() {
        Live<LoginConfig> config = live.part(c -> c.messaging().wire()).part(WireConfig::logins);
        FileRealm users = new FileRealm(parts.dataDir());
        return new CheckedLogins(new WireRealm(users, config, log), config, stats, log, clock());
    }

    private Listening listen() throws BindFailure, IOException {
        parts.begin().run();
        Messaging m = messaging;
        Protocol wire = m == null ? null : open(wire(services(m)));
        Listening all = new Listening(kernel, engine.proxy(), wire, share, this::tell);
        all.open(config());
        knobs.preparation(all);
        return all;
    }

    /** Listeners have changed: where they are is told anew. */
    private void tell() {
        DataDirectory held = data;
        if (held != null) {
            try {
                held.ready(about());
            } catch (IOException e) {
                log.log(ServerMessages.PLACES_NOT_TOLD, e);
            }
        }
    }

    private Clustering clustering(Claims claims) throws IOException {
        return share.first()
                ? new Clustering(live, parts.dataDir(), claims.clusterLog(), clock(), stats, log)
                : new Clustering(new Live<>(config().withoutServices()), share.scratch(), null, clock(), stats, log);
    }

    /** One process is the member: the first. The others have no cluster of their own, and none in their views. */
    private void openCluster(Listening listening) throws IOException {
        if (share.first()) {
            clustering.open(
                    listening.address(),
                    messaging == null ? null : messaging.broker().sender(),
                    names);
            facts.cluster(new ClusterFacts(clustering.access(), stats));
        }
    }

    private List<WireListening.Service> services(Messaging m) {
        List<WireListening.Service> services = new ArrayList<>(List.of(m.service()));
        clustering.routes().forEach(r -> services.add(new WireListening.Service(r, NamingDirectory.empty())));
        services.add(new WireListening.Service(clustering.calls(), clustering.names()));
        return services;
    }

    private WireListening wire(List<WireListening.Service> services) {
        return new WireListening(services, names.logins(clustering.logins(logins)), live, clock(), stats, log);
    }

    private AdminListener admin(AdminToken token, Engine engine) throws IOException {
        AdminRouter router = new AdminRouter();
        new KnobViews(knobs, parts.dataDir(), facts.autos()).register(router, share);
        new HistoryViews(parts.dataDir(), stats::spec, clock()).register(router);
        new TlsViews(kernel).register(router);
        new CacheViews(engine.proxy().cache()).register(router);
        new AccessLogViews(engine.accessLogs()).register(router);
        if (messaging != null) {
            new MessagingViews(messaging.broker().admin()).register(router);
        }
        facts.damage().register(router);
        clustering.register(router);
        MonitorViews views = open(new MonitorViews(facts, stats, clock()));
        views.register(router);
        if (share.supervised()) {
            views.registerFigures(router);
        }
        if (config().admin().jmx()) {
            views.registerBeans(log);
        }
        AdminListener.Credentials credentials =
                new AdminListener.Credentials(token::matches, new Administrators(parts.dataDir(), log));
        AdminConfig config = share.supervised() ? config().admin().ofWorker() : config().admin();
        try {
            AdminListener listener = AdminListener.open(config, router, credentials, clock(), stats, log);
            listener.every(Duration.ofSeconds(1), views::sample);
            return listener;
        } catch (BindFailure e) {
            // the kernel names the key by the listener's name
            throw new IOException(String.valueOf(e.getMessage()).replace("listeners.admin.", "admin."), e);
        }
    }

    private void ready() throws IOException {
        log.log(
                ServerMessages.MUXER,
                kernel.choice().kind().spelling(),
                kernel.muxers().all().size());
        Runtime machine = Runtime.getRuntime();
        log.log(
                ServerMessages.MACHINE,
                Runtime.version(),
                machine.maxMemory() >> 20,
                machine.availableProcessors(),
                ProcessHandle.current().pid());
        for (String key : parts.loaded().shadowedOverrides()) {
            log.log(ServerMessages.OVERRIDE_SHADOWED, key);
        }
        knobs.started(parts.loaded().source());
        facts.phase(Facts.Phase.RUNNING);
        readyMillis = Processes.ageMillis();
        if (data != null) {
            data.ready(about());
        }
        log.log(ServerMessages.STARTED, readyMillis);
        if (share.first()) {
            clustering.join();
        }
    }

    /** Everything about the start is printed: who waits for the server in the background may go on. */
    @Override
    public void announced() throws IOException {
        announced = true;
        if (data != null) {
            data.ready(about());
        }
    }

    /** Where it is reached, as the pid file has it. */
    public Map<String, String> about() {
        Map<String, String> about = new LinkedHashMap<>();
        if (admin != null) {
            about.put("admin", admin.uri().getAuthority());
        }
        for (Listener l : kernel.listeners()) {
            about.put("listener." + l.name(), l.place());
            if (l.config().protocol() == ListenerProtocol.WEIR) {
                about.putIfAbsent(MESSAGING, (l.secure() ? "weirs://" : "weir://") + reachable(l.address()));
            }
        }
        if (announced) {
            about.put(DataDirectory.ANNOUNCED, "yes");
        }
        return about;
    }

    /** Address and port by which this machine reaches it. */
    public static String reachable(InetSocketAddress at) {
        return at.getAddress().isAnyLocalAddress() ? "127.0.0.1:" + at.getPort() : text(at);
    }

    /** Address and port as an URL has them. */
    public static String text(InetSocketAddress at) {
        String host = at.getAddress().getHostAddress();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + at.getPort();
    }

    /** The open listeners, in the order of the configuration. */
    public List<Listener> listeners() {
        return kernel.listeners();
    }

    @Override
    public List<String> urls() {
        return listeners().stream()
                .filter(l -> !l.secure() && l.config().protocol() == ListenerProtocol.HTTP)
                .map(l -> "http://" + reachable(l.address()))
                .toList();
    }

    Kernel kernel() {
        return kernel;
    }

    /** Where the admin listener is reached, as host and port; null when there is none. */
    public @Nullable String adminAuthority() {
        return admin == null ? null : admin.uri().getAuthority();
    }

    /** Takes over the configuration that the other processes have. */
    public void follow() {
        try {
            KnobService.Outcome outcome = knobs.follow(share.inForce());
            if (!outcome.applied()) {
                log.log(ServerMessages.NOT_FOLLOWED, share.inForce(), outcome.problems());
            }
        } catch (IOException e) {
            log.log(ServerMessages.NOT_FOLLOWED, share.inForce(), e);
        }
    }

    /** Completes when every muxer has had a turn. */
    public CompletableFuture<Void> turn() {
        return CompletableFuture.allOf(kernel.muxers().all().stream()
                .map(m -> CompletableFuture.runAsync(() -> {}, m.eventLoop()))
                .toArray(CompletableFuture[]::new));
    }

    /** What it has counted, as Prometheus takes it; also when it is stopped, and then all of it. */
    public String figures() throws IOException {
        return new PrometheusView(stats).write(null).text();
    }

    /** From the process's start until it was ready, in milliseconds. */
    public long readyMillis() {
        return readyMillis;
    }

    /** Opens the access logs' files anew, after somebody moved them. */
    @Override
    public void reopenLogs() {
        engine.accessLogs().reopen();
    }

    @Override
    public CompletableFuture<Integer> failure() {
        return kernel.failure().thenApply(_ -> FAILED);
    }

    /** What this process does for others of its supervisor, and they for it. */
    public Siblings siblings() {
        return new Siblings(kernel, share, log, engine.accessLogs());
    }

    /** Nothing more is printed on standard output. */
    @Override
    public void detach() {
        log.closeStdout();
    }

    /** Waits until everything logged so far is written. */
    @Override
    public void flushLog() {
        log.flush();
    }

    /**
     * Stops accepting, lets requests in flight finish within {@code kernel.drain-time-out}, and closes everything.
     *
     * @return false when connections had to be cut off
     */
    @Override
    public boolean stop() {
        Duration timeOut = drainTimeOut();
        facts.phase(Facts.Phase.DRAINING);
        log.log(ServerMessages.SHUTDOWN_SIGNAL, Durations.format(timeOut));
        clustering.leave(timeOut);
        boolean clean = drained(kernel.drain(timeOut), timeOut);
        facts.phase(Facts.Phase.STOPPED);
        closeAll();
        return clean;
    }

    /**
     * Lets go of messaging and the cluster, for another process to open them, and serves http on. Clients of messaging
     * are cut off, and find the other when they connect again.
     */
    public void release() {
        clustering.leave(drainTimeOut());
        kernel.listeners().stream()
                .filter(l -> l.config().protocol() == ListenerProtocol.WEIR)
                .forEach(Listener::close);
        facts.released();
        for (AutoCloseable part : List.copyOf(opened)) {
            // in the order of closing
            boolean ofOneProcess = part instanceof Clustering
                    || part instanceof WireListening
                    || part instanceof Messaging
                    || part instanceof Claims;
            if (ofOneProcess && opened.remove(part)) {
                close(part);
            }
        }
    }

    /**
     * Stops as {@link #stop} does, after another process has taken over: clients that are idle have half of the time to
     * ask once more, and are told then to connect anew.
     *
     * @return false when connections had to be cut off
     */
    public boolean retire() {
        Duration timeOut = drainTimeOut();
        Duration grace = timeOut.dividedBy(2);
        facts.phase(Facts.Phase.DRAINING);
        log.log(ServerMessages.SHUTDOWN_SIGNAL, Durations.format(timeOut));
        clustering.leave(timeOut);
        boolean clean = drained(kernel.retire(grace, timeOut.minus(grace)), timeOut);
        facts.phase(Facts.Phase.STOPPED);
        closeAll();
        return clean;
    }

    /** How long requests in progress have once a stop is asked for. */
    public Duration drainTimeOut() {
        return config().kernel().drainTimeOut();
    }

    private boolean drained(CompletableFuture<DrainReport> drain, Duration timeOut) {
        try {
            DrainReport report = drain.get(timeOut.toMillis() + 10_000, TimeUnit.MILLISECONDS);
            log.log(ServerMessages.STOPPED, Durations.format(report.took().truncatedTo(ChronoUnit.MILLIS)));
            return report.clean();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            log.log(ServerMessages.STOP_FAILED, e);
        }
        return false;
    }

    private <T extends AutoCloseable> T open(T part) {
        opened.push(part);
        return part;
    }

    private void closeAll() {
        for (AutoCloseable part = opened.poll(); part != null; part = opened.poll()) {
            close(part);
        }
    }

    private void close(AutoCloseable part) {
        try {
            part.close();
        } catch (Exception e) {
            parts.stdout().println("weir: " + part.getClass().getSimpleName() + " could not be closed: " + e);
        }
    }
}
