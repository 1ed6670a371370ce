package io.weir.server;

import io.weir.base.Clock;
import io.weir.base.Live;
import io.weir.base.Stats;
import io.weir.kernel.Kernel;
import io.weir.kernel.connection.Protocol;
import io.weir.kernel.listen.BindFailure;
import io.weir.kernel.listen.Listener;
import io.weir.server.admin.AdminListener;
import io.weir.server.admin.PortViews;
import io.weir.server.assembly.Administration;
import io.weir.server.assembly.Claims;
import io.weir.server.assembly.Engine;
import io.weir.server.assembly.Listening;
import io.weir.server.assembly.OpenLog;
import io.weir.server.assembly.OpenedParts;
import io.weir.server.assembly.Siblings;
import io.weir.server.assembly.StatefulParts;
import io.weir.server.assembly.Stopping;
import io.weir.server.assembly.UserLogins;
import io.weir.server.catalogue.ServerMessages;
import io.weir.server.config.KnobService;
import io.weir.server.config.WeirConfig;
import io.weir.server.facts.ServerFacts;
import io.weir.server.files.DataDirectory;
import io.weir.server.files.Processes;
import io.weir.server.history.Recorder;
import io.weir.server.log.ServerLog;
import io.weir.server.monitor.PrometheusView;
import io.weir.server.monitor.source.Facts;
import io.weir.server.start.ServerParts;
import io.weir.server.start.Share;
import io.weir.server.start.StartFailure;
import io.weir.server.users.AdminToken;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The running server: holds the data directory, then log, kernel, proxy, messaging, listeners, cluster and admin
 * listener, started in that order. It leaves the cluster first, then drains, then closes all in the reverse order.
 * Shared; started and stopped by one thread each.
 */
public final class Server implements Running {
    /** Exit status of a failed server that ended itself: EX_SOFTWARE. */
    public static final int FAILED = 70;

    private final ServerParts parts;
    private final OpenedParts opened;
    private final Stats stats = new Stats();
    private final Live<WeirConfig> live;
    private final Share share;
    private final @Nullable DataDirectory data;
    private final ServerLog log;
    private final KnobService knobs;
    private final ServerFacts facts;
    private final Kernel kernel;
    private final PortViews portViews = new PortViews();
    private final Engine engine;
    private final Siblings siblings;
    private final StatefulParts services;
    private final @Nullable AdminListener admin;
    private volatile long readyMillis = -1;
    private volatile boolean announced;

    private Server(ServerParts parts) throws IOException, BindFailure {
        this.parts = parts;
        this.opened = new OpenedParts(parts.stdout());
        this.share = parts.share();
        this.live = new Live<>(parts.loaded().value());
        try {
            this.data = share.supervised() ? null : opened.add(DataDirectory.open(parts.dataDir()));
            Claims claims = opened.add(new Claims(parts.dataDir(), config(), share));
            String tidied = data == null ? "" : data.tidy();
            this.log = opened.add(OpenLog.in(share.folder(), live, clock(), stats, parts.stdout()));
            if (!tidied.isEmpty()) {
                log.log(ServerMessages.DATA_DIR_OPEN, parts.dataDir(), tidied);
            }
            this.live.observe(c -> stats.collect(c.server().statistics()));
            this.knobs = new KnobService(parts.loaded(), live, parts.dataDir(), share.first(), clock(), stats, log);
            AdminToken token = Administration.token(parts.dataDir(), log);
            this.kernel = opened.add(Engine.kernel(live, parts, stats, log));
            UserLogins logins = opened.add(UserLogins.start(parts, live, stats, log));
            this.engine = opened.add(Engine.start(kernel, live, parts, logins, portViews, stats, log));
            this.siblings = new Siblings(kernel, share, log, engine.accessLogs());
            siblings.beside(share.beside());
            this.facts = new ServerFacts(parts, live, kernel, engine.proxy(), stats, log);
            this.services =
                    new StatefulParts(parts, live, kernel, engine.proxy().cache(), claims, facts, stats, log, opened);
            services.listening(listen(logins));
            if (!share.supervised()) {
                opened.add(new Recorder(parts.dataDir(), live.part(WeirConfig::history), clock(), stats, log))
                        .start();
            }
            this.admin = config().admin().enabled() || share.supervised() ? admin(token) : null;
        } catch (IOException | BindFailure | RuntimeException e) {
            StartFailure.report(opened.all(), e);
            opened.close();
            throw e;
        }
    }

    /**
     * Starts a server; it is ready when this returns.
     *
     * @throws StartFailure with the reason; everything is closed again
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

    private Listening listen(UserLogins logins) throws BindFailure, IOException {
        Listening all = new Listening(kernel, engine.proxy(), services.caches(engine.proxy()), share, this::publish);
        all.openForProcesses();
        services.shares(all.processesPort());
        // before there is anything to drain, so that a stop does not wait for it
        services.awaitOthers();
        parts.begin().run();
        @Nullable Protocol wire = services.wire(logins.checked());
        engine.serves();
        all.open(config(), wire);
        knobs.preparation(all);
        return all;
    }

    private AdminListener admin(AdminToken token) throws IOException {
        return new Administration(parts, live, stats, log)
                .changes(knobs, facts, kernel, engine, services.purges())
                .services(services)
                .open(token, facts, portViews, opened);
    }

    /** Listeners have changed: publishes their addresses again. */
    private void publish() {
        DataDirectory held = data;
        if (held != null) {
            try {
                held.ready(about());
            } catch (IOException e) {
                log.log(ServerMessages.ADDRESSES_NOT_PUBLISHED, e);
            }
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
        parts.loaded().notes().forEach(note -> log.log(ServerMessages.SETTING_WITHOUT_EFFECT, note));
        knobs.started(parts.loaded().source());
        facts.phase(Facts.Phase.RUNNING);
        readyMillis = Processes.jvmAgeMillis();
        if (data != null) {
            data.ready(about());
        }
        log.log(ServerMessages.STARTED, readyMillis);
        services.join();
    }

    /** Called once everything about the start is printed: a parent process that waits for it can continue. */
    @Override
    public void announced() throws IOException {
        announced = true;
        if (data != null) {
            data.ready(about());
        }
    }

    /** The server's addresses, in the form of the pid file. */
    public Map<String, String> about() {
        Map<String, String> about = new LinkedHashMap<>();
        if (admin != null) {
            about.put("admin", admin.uri().getAuthority());
        }
        about.putAll(Listening.places(kernel));
        if (announced) {
            about.put(DataDirectory.ANNOUNCED, "yes");
        }
        return about;
    }

    /** The open listeners, in the order of the configuration. */
    public List<Listener> listeners() {
        return kernel.listeners();
    }

    @Override
    public List<String> urls() {
        return Listening.urls(kernel);
    }

    Kernel kernel() {
        return kernel;
    }

    /** Where the admin listener is reached, as host and port; null when there is none. */
    public @Nullable String adminAuthority() {
        return admin == null ? null : admin.uri().getAuthority();
    }

    /** Applies the configuration that the other processes have. */
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

    /** Completes when every muxer has run a task. */
    public CompletableFuture<Void> turn() {
        return CompletableFuture.allOf(kernel.muxers().all().stream()
                .map(m -> CompletableFuture.runAsync(() -> {}, m.eventLoop()))
                .toArray(CompletableFuture[]::new));
    }

    /** The statistics in the Prometheus format; after a stop, the final values. */
    public String figures() throws IOException {
        return new PrometheusView(stats).write(null).text();
    }

    /** From the process's start until it was ready, in milliseconds. */
    public long readyMillis() {
        return readyMillis;
    }

    /** Reopens the access logs' files, after they were moved. */
    @Override
    public void reopenLogs() {
        engine.accessLogs().reopen();
    }

    @Override
    public CompletableFuture<Integer> failure() {
        return kernel.failure().thenApply(_ -> FAILED);
    }

    /** What this process and the others of its supervisor do for each other. */
    public Siblings siblings() {
        return siblings;
    }

    /** Stops printing on standard output. */
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
        boolean clean = stopping().drain(drainTimeOut());
        opened.close();
        return clean;
    }

    /**
     * Releases messaging and the cluster, so that another process can open them, and keeps serving http. Messaging
     * clients are disconnected, and reach the other process when they reconnect.
     */
    public void release() {
        services.leave(drainTimeOut());
        services.release(kernel);
    }

    /**
     * Stops as {@link #stop} does, after another process has taken over: idle clients have half of the time for another
     * request, and are then told to reconnect.
     *
     * @return false when connections had to be cut off
     */
    public boolean retire() {
        boolean clean = stopping().retire(drainTimeOut());
        opened.close();
        return clean;
    }

    /** How long requests in progress have once a stop is requested. */
    public Duration drainTimeOut() {
        return config().kernel().drainTimeOut();
    }

    private Stopping stopping() {
        return new Stopping(kernel, siblings, services, facts, log);
    }
}
