package io.weir.server.cli;

import io.weir.base.SystemClock;
import io.weir.server.Server;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import io.weir.server.files.DataDirectory;
import io.weir.server.processes.WorkerWords;
import io.weir.server.start.ServerParts;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * Starts, some requests, some verbs and stops, from which a start-up cache is made. The answers are ignored. Lives for one
 * call.
 */
@Command(name = "train", hidden = true, description = "Runs the workload from which the start-up cache is made.")
final class TrainCommand implements Callable<Integer> {
    private static final int TIME_OUT_MILLIS = 120_000;
    private static final int FORMING_MILLIS = 120_000;
    private static final int PAUSE_MILLIS = 100;
    private static final List<String> MEMBERS = List.of("alpha", "beta", "gamma");

    private static final String SERVER = "server";
    private static final String MEMBER = "member";
    private static final String WORKER = "worker";
    private static final String VERB = "verb";
    private static final String ALL = "all";

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "PURPOSE",
            description =
                    "what the cache is for: server, member, worker, verb or all; a JVM loads all classes of its cache")
    private String purpose = ALL;

    @Override
    public Integer call() throws Exception {
        if (!List.of(SERVER, MEMBER, WORKER, VERB, ALL).contains(purpose)) {
            throw new CliFailure("a cache is for server, member, worker, verb or all, not for " + purpose);
        }
        Path dataDir = Files.createTempDirectory("weir-train");
        try {
            if (purpose.equals(VERB)) {
                Process server = other(dataDir, sets(dataDir));
                try {
                    ask(dataDir);
                } finally {
                    server.destroy();
                    server.waitFor();
                }
            } else if (purpose.equals(WORKER)) {
                workers(dataDir);
            } else {
                lone(dataDir);
            }
            if (purpose.equals(MEMBER) || purpose.equals(ALL)) {
                cluster(dataDir);
            }
        } finally {
            delete(dataDir);
        }
        return 0;
    }

    private void lone(Path dataDir) throws Exception {
        LoadedConfig loaded = new ConfigLoader(null, sets(dataDir), null).load();
        Server server = start(loaded, dataDir);
        exercise(server);
        if (purpose.equals(ALL)) {
            ask(dataDir);
        }
        server.stop();
    }

    private static List<String> sets(Path dataDir) {
        return List.of(
                "listeners.http.port=0", "listeners.messaging.port=0", "admin.port=0", "server.data-dir=" + dataDir);
    }

    /**
     * Two processes that share their caches, of which the first makes the cache when it ends ({@link WorkerWords#TRAINED}); it
     * takes part of the time in which the server has to end.
     */
    private static void workers(Path dataDir) throws IOException, InterruptedException {
        List<String> sets = new ArrayList<>(sets(dataDir));
        sets.add("server.processes=2");
        sets.add("kernel.drain-time-out=" + FORMING_MILLIS / 1000 + "s");
        Process supervisor = other(dataDir, sets);
        try {
            InetSocketAddress http = address(DataDirectory.pidFile(dataDir).get("listener.http"));
            // the kernel chooses the process of each
            for (int i = 0; i < 20 && http != null; i++) {
                ask(http, "/" + i % 5);
            }
        } finally {
            supervisor.destroy();
            supervisor.waitFor();
        }
    }

    private static @Nullable InetSocketAddress address(@Nullable String text) {
        int colon = text == null ? -1 : text.lastIndexOf(':');
        return text == null || colon < 0
                ? null
                : new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), Integer.parseInt(text, colon + 1, text.length(), 10));
    }

    /** A server in another process: the cache has none of its classes. */
    private static Process other(Path dataDir, List<String> sets) throws IOException {
        List<String> line = new ArrayList<>(WorkerWords.ofThisProcess().machine());
        // a JVM makes one cache, and ours is not the server's
        line.removeIf(word -> word.startsWith("-XX:AOTCache"));
        line.add("run");
        sets.forEach(s -> line.addAll(List.of("--set", s)));
        Process server = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        long begun = SystemClock.INSTANCE.millis();
        while (server.isAlive()
                && !DataDirectory.pidFile(dataDir).containsKey("admin")
                && SystemClock.INSTANCE.millis() - begun < FORMING_MILLIS) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
        }
        return server;
    }

    private static Server start(LoadedConfig loaded, Path dataDir) throws Exception {
        return Server.start(
                new ServerParts(loaded, dataDir, SystemClock.INSTANCE, System.out, VersionCommand.version()));
    }

    /** Three members, since one alone starts without the library of the replicated log, and two are refused. */
    private static void cluster(Path dataDir) throws Exception {
        List<Integer> ports = freePorts(MEMBERS.size());
        List<String> addresses = ports.stream().map(p -> "127.0.0.1:" + p).toList();
        try (ExecutorService starts = Executors.newFixedThreadPool(MEMBERS.size())) {
            List<Future<Server>> started = new ArrayList<>();
            for (int i = 0; i < MEMBERS.size(); i++) {
                Path own = dataDir.resolve(MEMBERS.get(i));
                LoadedConfig loaded = new ConfigLoader(
                                null,
                                List.of(
                                        "listeners.http.port=0",
                                        "listeners.messaging.port=" + ports.get(i),
                                        "admin.port=0",
                                        "admin.jmx=false",
                                        "cluster.member=" + MEMBERS.get(i),
                                        "cluster.members=[" + String.join(",", addresses) + "]",
                                        "cluster.secret=0123456789abcdef0123456789abcdef",
                                        "server.data-dir=" + own),
                                null)
                        .load();
                started.add(starts.submit((Callable<Server>) () -> start(loaded, own)));
            }
            for (int i = 0; i < MEMBERS.size(); i++) {
                exercise(started.get(i).get());
            }
            for (String member : MEMBERS) {
                awaitMembers(dataDir.resolve(member));
            }
            // side by side: the last one alone would wait for the others
            for (Future<Server> s : started) {
                Server server = s.get();
                var _ = starts.submit(server::stop);
            }
        }
    }

    /** Until this member knows of all, or for so long that the cache is made without what comes then. */
    private static void awaitMembers(Path dataDir) {
        long begun = SystemClock.INSTANCE.millis();
        while (SystemClock.INSTANCE.millis() - begun < FORMING_MILLIS) {
            StringWriter out = new StringWriter();
            run(out, dataDir, "cluster members");
            if (MEMBERS.stream().allMatch(out.toString()::contains)) {
                return;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
        }
    }

    private static List<Integer> freePorts(int n) throws IOException {
        List<ServerSocket> held = new ArrayList<>();
        try {
            for (int i = 0; i < n; i++) {
                held.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return held.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (ServerSocket s : held) {
                s.close();
            }
        }
    }

    private static void exercise(Server server) throws IOException {
        InetSocketAddress http = server.listeners().getFirst().address();
        for (int i = 0; i < 3; i++) {
            ask(http, "/");
        }
        ask(http, "http://" + http.getHostString() + ":" + http.getPort() + "/");
        InetSocketAddress at = address(server.adminAuthority());
        if (at != null) {
            for (String path : List.of("/.perf", "/stats-xml", "/metrics", "/health", "/knobs")) {
                ask(at, path);
            }
        }
    }

    /** Verbs as operators type them; they share classes with the others. */
    private static void ask(Path dataDir) {
        for (String verb : List.of(
                "version",
                "check",
                "jms send queue/demo text --property a=b",
                "jms browse queue/demo --headers",
                "jms receive queue/demo --headers",
                "jms stats",
                "jms subscriptions",
                "jms damage",
                "cluster status",
                "cluster members",
                "cluster history",
                "config history",
                "config diff",
                "log rotate",
                "passwd",
                "tls",
                "perfdump",
                "history")) {
            run(Writer.nullWriter(), dataDir, verb);
        }
    }

    private static void run(Writer out, Path dataDir, String verb) {
        List<String> words = new ArrayList<>(List.of(verb.split(" ")));
        if (!verb.equals("version")) {
            words.addAll(List.of("--set", "server.data-dir=" + dataDir));
        }
        String[] all = words.toArray(String[]::new);
        var _ = Main.line(all)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(Writer.nullWriter()))
                .execute(all);
    }

    private static void ask(InetSocketAddress at, String target) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(at, TIME_OUT_MILLIS);
            socket.setSoTimeout(TIME_OUT_MILLIS);
            String request = "GET " + target + " HTTP/1.1\r\nHost: " + at.getHostString() + ":" + at.getPort()
                    + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            try (InputStream in = socket.getInputStream()) {
                in.readAllBytes();
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path p : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(p);
            }
        }
    }
}
