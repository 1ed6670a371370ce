package io.weir.server.processes;

import io.netty.channel.epoll.Epoll;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.weir.base.Clock;
import io.weir.base.Live;
import io.weir.base.Stats;
import io.weir.kernel.listen.BindFailure;
import io.weir.kernel.listen.ListenerConfig;
import io.weir.kernel.listen.ListenerProtocol;
import io.weir.kernel.settings.KernelMessages;
import io.weir.server.Running;
import io.weir.server.admin.AdminListener;
import io.weir.server.assembly.OpenLog;
import io.weir.server.assembly.OpenedParts;
import io.weir.server.catalogue.ServerMessages;
import io.weir.server.config.WeirConfig;
import io.weir.server.files.DataDirectory;
import io.weir.server.files.FolderLock;
import io.weir.server.files.InstanceName;
import io.weir.server.files.PrivateFiles;
import io.weir.server.files.Processes;
import io.weir.server.files.ReachableAt;
import io.weir.server.history.Recorder;
import io.weir.server.history.Sweep;
import io.weir.server.log.ServerLog;
import io.weir.server.start.Share;
import io.weir.server.start.StartFailure;
import io.weir.server.users.AdminToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A server of several processes: holds the data directory, the listening sockets and the admin listener, and keeps a
 * worker in each slot. Requests, messaging and the cluster are handled by the workers. Shared; started and stopped by
 * one thread each; mutable state belongs to the loop of {@link Workers}.
 */
public final class Supervisor implements Running {
    /** The folder for single workers in the data directory. */
    static final String FOLDER = "workers";

    /** Recovering a journal can take long; a worker that hangs is detected earlier ({@link Pulse}). */
    private static final long START_SECONDS = 300;

    private final OpenedParts opened;
    private final SupervisorParts parts;
    /** The configuration of the start, for the number of processes and their listeners. */
    private final WeirConfig config;

    private final Live<WeirConfig> live;
    private final Stats stats = new Stats();
    private final DataDirectory data;
    private final ServerLog log;
    private final Ports ports;
    private final Workers workers;
    private final WorkerQueries queries = new WorkerQueries(new WorkerClient());
    private final Sums sums;
    private final @Nullable AdminListener admin;
    private final AtomicBoolean ending = new AtomicBoolean();
    private volatile boolean announced;

    private Supervisor(SupervisorParts parts) throws IOException, BindFailure {
        this.parts = parts;
        this.opened = new OpenedParts(parts.stdout());
        this.config = parts.loaded().value();
        this.live = new Live<>(config);
        try {
            this.data = opened.add(DataDirectory.open(parts.dataDir()));
            opened.add(FolderLock.take(parts.dataDir().resolve(Recorder.FOLDER)));
            String open = data.tidy();
            Clock clock = parts.clock();
            this.log = opened.add(OpenLog.in(parts.dataDir(), live, clock, stats, parts.stdout()));
            if (!open.isEmpty()) {
                log.log(ServerMessages.DATA_DIR_OPEN, parts.dataDir(), open);
            }
            if (!Epoll.isAvailable()) {
                throw new IOException(
                        "server.processes needs Linux with epoll, which is not there: " + Epoll.unavailabilityCause());
            }
            // generated once, before each worker would generate its own
            InstanceName.openOrCreate(parts.dataDir());
            AdminToken token = AdminToken.openOrCreate(parts.dataDir());
            PrivateFiles.folder(folder());
            Tickets tickets = new Tickets(folder().resolve(Share.TICKETS), config);
            tickets.begin();
            this.ports = opened.add(Ports.open(config));
            this.workers = opened.add(new Workers(ports, launch(), live, clock, stats, log));
            ScheduledExecutorService looking = looking();
            opened.add((AutoCloseable) looking::shutdownNow);
            this.sums = new Sums(workers, queries, stats, looking, clock);
            turned(tickets, looking);
            this.admin = config.admin().enabled()
                    ? opened.add(new ProcessAdministration(parts, live, stats, log)
                            .open(token, workers, queries, sums, looking))
                    : null;
            opened.add(new Recorder(parts.dataDir(), live.part(WeirConfig::history), clock, stats, log, this::sweep))
                    .start();
        } catch (IOException | BindFailure | RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    /**
     * Opens the supervisor's own parts. It can be stopped from now on; {@link #ready} starts its workers.
     *
     * @throws StartFailure with the reason; everything is closed again
     */
    public static Supervisor open(SupervisorParts parts) throws StartFailure {
        try {
            return new Supervisor(parts);
        } catch (IOException | BindFailure e) {
            throw StartFailure.of(e);
        }
    }

    /**
     * Records for the supervisor of a data directory that new workers are to be started like this process.
     *
     * @throws IOException if it cannot be written
     */
    public static void program(Path dataDir) throws IOException {
        Launch.program(dataDir);
    }

    private static ScheduledExecutorService looking() {
        return Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory("weir.Supervisor looks", true));
    }

    private void turned(Tickets tickets, ScheduledExecutorService looking) {
        if (tickets.wanted()) {
            long millis = tickets.rotation().toMillis();
            var _ = looking.scheduleAtFixedRate(() -> turn(tickets), millis, millis, TimeUnit.MILLISECONDS);
        }
    }

    private void turn(Tickets tickets) {
        try {
            tickets.turn();
        } catch (IOException e) {
            log.log(ProcessMessages.NOT_TURNED, e);
        }
    }

    private Sweep sweep(int atMost) throws IOException {
        return Sweep.of(sums.series(), parts.declared(), atMost);
    }

    /** The folder of a single worker, for example for its logs. */
    public static Path folderOf(Path dataDir, int process) {
        return dataDir.resolve(FOLDER).resolve(Integer.toString(process));
    }

    private Path folder() {
        return parts.dataDir().resolve(FOLDER);
    }

    /**
     * Workers read a copy of the configuration file, so that one that starts after a crash is like the others, whatever
     * was written into the file since.
     */
    private Launch launch() throws IOException {
        Path file = parts.words().config();
        Path copy = null;
        if (file != null) {
            copy = folder().resolve("weir.yaml");
            PrivateFiles.write(copy, Files.readString(file));
        }
        Launch launch = new Launch(parts.words(), copy, parts.dataDir(), folder(), ports.names(), Share.newRun());
        launch.sweep();
        // what files say when a worker's successor starts may be another configuration, or a broken one
        PrivateFiles.write(launch.inForce(), parts.loaded().text());
        return launch;
    }

    /**
     * Starts the workers; all are ready when this returns.
     *
     * @throws StartFailure with the reason; everything is closed again
     */
    public void ready() throws StartFailure {
        try {
            workers.start().get(START_SECONDS, TimeUnit.SECONDS);
            workers.recorded();
            listening();
            long millis = Processes.jvmAgeMillis();
            parts.loaded().notes().forEach(note -> log.log(ServerMessages.SETTING_WITHOUT_EFFECT, note));
            log.log(ProcessMessages.STARTED, config.server().processes(), millis);
            writePidFile();
            workers.changed(this::publishAgain);
        } catch (ExecutionException | TimeoutException | IOException | RejectedExecutionException e) {
            if (ending.get()) {
                throw new StartFailure("it was stopped while it started", e);
            }
            Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
            abort();
            throw new StartFailure(
                    e instanceof TimeoutException
                            ? "the workers were not ready within " + START_SECONDS + " s"
                            : String.valueOf(cause.getMessage()),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            abort();
            throw new StartFailure("interrupted", e);
        }
    }

    /** Tells where the workers listen, as one process does; their own notices are in their logs only. */
    private void listening() {
        Map<String, String> places = new LinkedHashMap<>(ports.listeners());
        places.putAll(workers.places());
        config.listeners().forEach((name, listener) -> {
            String at = places.get("listener." + name);
            if (at != null) {
                log.log(
                        KernelMessages.LISTENING,
                        name,
                        listener.address(),
                        at.substring(at.lastIndexOf(':') + 1),
                        listener.protocol().name().toLowerCase(Locale.ROOT) + (listener.secure() ? "s" : ""));
            }
        });
    }

    private void abort() {
        if (ending.compareAndSet(false, true)) {
            workers.kill();
            opened.close();
        }
    }

    private void publishAgain() {
        try {
            writePidFile();
        } catch (IOException e) {
            log.log(ProcessMessages.PID_FILE_FAILED, parts.dataDir().resolve(DataDirectory.PID_FILE), e);
        }
    }

    /**
     * Writes the supervisor and its workers into the pid file. Runs on the workers' loop, one write after the other; a
     * caller that waits for it must hold no lock that the loop might need.
     */
    private void writePidFile() throws IOException {
        workers.inTurn(() -> data.ready(about()));
    }

    private Map<String, String> about() {
        Map<String, String> about = new LinkedHashMap<>();
        if (admin != null) {
            about.put("admin", admin.uri().getAuthority());
        }
        about.putAll(ports.listeners());
        about.putAll(workers.places());
        workers.pids().forEach((slot, pid) -> about.put("worker." + slot, Long.toString(pid)));
        if (announced) {
            about.put(DataDirectory.ANNOUNCED, "yes");
        }
        return about;
    }

    @Override
    public void announced() throws IOException {
        announced = true;
        writePidFile();
    }

    @Override
    public void detach() {
        log.closeStdout();
    }

    /** Never completes: a worker that failed ends, and is restarted. */
    @Override
    public CompletableFuture<Integer> failure() {
        return new CompletableFuture<>();
    }

    @Override
    public void flushLog() {
        log.flush();
    }

    @Override
    public void reopenLogs() {
        workers.order(Orders.REOPEN);
    }

    @Override
    public List<String> urls() {
        return config.listeners().entrySet().stream()
                .filter(e -> isHttp(e.getValue()) && !e.getValue().secure())
                .map(e -> "http://" + ReachableAt.reachable(ports.address(e.getKey())))
                .toList();
    }

    static boolean isHttp(ListenerConfig listener) {
        return listener.protocol() == ListenerProtocol.HTTP;
    }

    /** Stops all workers, each as a server stops, and waits for their end; those that still start just end. */
    @Override
    public boolean stop() {
        if (!ending.compareAndSet(false, true)) {
            // a failed start ends everything itself
            return true;
        }
        log.log(ProcessMessages.STOPPING, config.server().processes());
        // together with the workers' own; otherwise connections would wait in a queue from which none are accepted
        ports.close();
        boolean clean = workers.stop();
        log.log(ProcessMessages.STOPPED);
        opened.close();
        return clean;
    }
}
