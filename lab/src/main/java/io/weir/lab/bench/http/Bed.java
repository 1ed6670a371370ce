package io.weir.lab.bench.http;

import io.weir.base.Clock;
import io.weir.lab.bench.peer.HostileConfigs;
import io.weir.lab.bench.peer.HttpScenario;
import io.weir.lab.bench.peer.Peer;
import io.weir.lab.bench.peer.PeerConfigs;
import io.weir.lab.bench.peer.Size;
import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.Child;
import io.weir.lab.bench.process.Contender;
import io.weir.lab.bench.process.JmsJvm;
import io.weir.lab.bench.process.PeerProgram;
import io.weir.lab.bench.process.Ran;
import io.weir.lab.bench.process.Tools;
import io.weir.lab.bench.process.WeirServer;
import io.weir.lab.load.LoadOriginCommand;
import io.weir.lab.slow.SlowPorts;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A temporary folder, an origin on the second processor, and servers on the first. Lives until closed, which stops
 * everything that was started and deletes the folder; also when the operator interrupts. Its methods are called by one
 * thread at a time.
 */
public final class Bed implements AutoCloseable {
    public static final int SERVER_CORE = 0;
    public static final int LOAD_CORE = 1;
    /** Prefix for slow clients and their origin, so that only their effect on the server's processor is measured. */
    private static final List<String> LOW_PRIORITY = List.of("nice", "-n", "19");

    private static final Pattern HANDLED = Pattern.compile("requests\\s+\\d+ \\d+ (\\d+)");
    private final Tools tools;
    private final WeirServer.Build build;
    private final Clock clock;
    private final Path folder;
    private final Deque<Runnable> started = new ArrayDeque<>();
    private final Child origin;
    private final Child slowOrigin;
    private final int bytes;
    private int serial;

    /**
     * Makes the folder and starts the origin.
     *
     * @param scenario that needs the origin
     */
    Bed(Tools tools, WeirServer.Build build, Size size, HttpScenario scenario, Clock clock)
            throws IOException, InterruptedException, BenchFailure {
        this.tools = tools;
        this.build = build;
        this.clock = clock;
        this.bytes = size.bytes();
        this.folder = open(Files.createTempDirectory("weir-bench"));
        Path place = place("origin");
        int port = Child.freePort();
        List<String> command = scenario.wrk() ? nginx(place, port, scenario.caches()) : loadOrigin(port);
        this.origin = child("the origin", LOAD_CORE, command, place, port);
        this.slowOrigin = scenario.wrk() ? origin : slowOrigin();
    }

    /** The origin that answers wrk. */
    private List<String> nginx(Path place, int port, boolean cacheable) throws IOException {
        Path www = open(Files.createDirectory(place.resolve("www")));
        Files.write(www.resolve("o"), "x".repeat(bytes).getBytes(StandardCharsets.US_ASCII));
        Path config = Files.writeString(place.resolve("origin.conf"), PeerConfigs.origin(place, port, cacheable));
        return List.of(tools.path(PeerProgram.NGINX), "-p", place.toString(), "-c", config.toString());
    }

    /** The origin of slow clients: a separate one, so that the quick ones' origin is not delayed. */
    private Child slowOrigin() throws IOException, InterruptedException, BenchFailure {
        int port = Child.freePort();
        List<String> command = new ArrayList<>(LOW_PRIORITY);
        command.addAll(loadOrigin(port));
        return child("the slow clients' origin", LOAD_CORE, command, place("slow-origin"), port);
    }

    /** The origin with event streams, which also reads bodies, however slowly they arrive. */
    private static List<String> loadOrigin(int port) {
        return JmsJvm.command(
                System.getProperty("java.class.path", ""), LoadOriginCommand.class.getName(), String.valueOf(port));
    }

    int originPort() {
        return origin.port();
    }

    /** The port of the slow clients' origin; without slow clients, that of all. */
    int slowOriginPort() {
        return slowOrigin.port();
    }

    /** The process ids of all origins. */
    List<Long> originPids() {
        return slowOrigin == origin ? List.of(origin.pid()) : List.of(origin.pid(), slowOrigin.pid());
    }

    /** Requests that the origin has answered, including this query. */
    long originRequests() throws IOException, BenchFailure {
        URI status = URI.create("http://127.0.0.1:" + origin.port() + "/status");
        try (InputStream in = status.toURL().openStream()) {
            return handled(new String(in.readAllBytes(), StandardCharsets.US_ASCII));
        }
    }

    static long handled(String status) throws BenchFailure {
        Matcher matcher = HANDLED.matcher(status);
        if (!matcher.find()) {
            throw new BenchFailure("the origin does not count: " + status);
        }
        return Long.parseLong(matcher.group(1));
    }

    WeirServer weir(String config) throws IOException, InterruptedException, BenchFailure {
        return weir(build, config);
    }

    WeirServer weir(WeirServer.Build build, String config) throws IOException, InterruptedException, BenchFailure {
        WeirServer weir = WeirServer.start(build, config, place("weir"), pinned(SERVER_CORE), clock);
        started.push(weir::close);
        return weir;
    }

    /** Starts a peer that can hold this many connections. */
    Child peer(Peer peer, boolean cache, int connections, boolean secure)
            throws IOException, InterruptedException, BenchFailure {
        Path place = place(peer.key());
        int port = Child.freePort();
        PeerConfigs.Plan plan =
                new PeerConfigs.Plan(place, port, origin.port(), cache, connections, secure ? keys() : null);
        List<String> command = PeerConfigs.prepare(peer, tools.path(peer.program()), plan);
        return child(peer.key(), SERVER_CORE, command, place, port);
    }

    /** Starts a peer for slow clients. */
    Child peer(Peer peer, SlowPorts ports) throws IOException, InterruptedException, BenchFailure {
        Path place = place(peer.key());
        HostileConfigs.Plan plan = new HostileConfigs.Plan(place, ports, origin.port(), slowOrigin.port(), keys());
        List<String> command = HostileConfigs.prepare(peer, tools.path(peer.program()), plan);
        return child(peer.key(), SERVER_CORE, command, place, ports.plain());
    }

    /** A folder with a certificate for 127.0.0.1 and its key, an elliptic curve's, made at the first call. */
    Path keys() throws IOException, InterruptedException, BenchFailure {
        Path keys = folder.resolve("keys");
        if (!Files.isDirectory(keys)) {
            open(Files.createDirectory(keys));
            Ran made = Ran.of(List.of(
                    tools.path(PeerProgram.OPENSSL),
                    "req",
                    "-x509",
                    "-newkey",
                    "ec",
                    "-pkeyopt",
                    "ec_paramgen_curve:P-256",
                    "-nodes",
                    "-days",
                    "30",
                    "-subj",
                    "/CN=bench.test",
                    "-addext",
                    "subjectAltName=DNS:bench.test,IP:127.0.0.1",
                    "-keyout",
                    keys.resolve("key.pem").toString(),
                    "-out",
                    keys.resolve("cert.pem").toString()));
            if (made.exit() != 0) {
                throw new BenchFailure("no certificate: " + made.printed().strip());
            }
            Files.writeString(
                    keys.resolve("both.pem"),
                    Files.readString(keys.resolve("cert.pem")) + Files.readString(keys.resolve("key.pem")));
            for (String name : List.of("key.pem", "both.pem")) {
                Files.setPosixFilePermissions(keys.resolve(name), PosixFilePermissions.fromString("rw-r--r--"));
            }
        }
        return keys;
    }

    /** A program that loads a server from the second processor at a steady rate. */
    List<String> onLoadCore() {
        return pinned(LOAD_CORE);
    }

    /** The same, at the lowest priority. */
    List<String> lowPriorityOnLoadCore() {
        List<String> words = new ArrayList<>(pinned(LOAD_CORE));
        words.addAll(LOW_PRIORITY);
        return words;
    }

    /** Loads a server. */
    Wrk load(Contender contender, int seconds) throws IOException, InterruptedException, BenchFailure {
        return answered(contender, contender.shakesHands() ? handshakes(contender, seconds) : wrk(contender, seconds));
    }

    /** Warms a server up. Always with wrk, which is faster, and with a Host, without which the peers cannot fetch. */
    Wrk warm(Contender contender, int seconds) throws IOException, InterruptedException, BenchFailure {
        return answered(contender, wrk(contender, seconds));
    }

    private static Wrk answered(Contender contender, Wrk wrk) throws BenchFailure {
        if (wrk.refused() > 0) {
            throw new BenchFailure(contender.name() + " answered " + wrk.refused() + " requests with an error");
        }
        return wrk;
    }

    private Wrk wrk(Contender contender, int seconds) throws IOException, InterruptedException, BenchFailure {
        return Wrk.parse(Ran.of(Wrk.command(
                        tools.path(PeerProgram.TASKSET), tools.path(PeerProgram.WRK), LOAD_CORE, seconds, contender))
                .printed());
    }

    private Wrk handshakes(Contender contender, int seconds) throws IOException, InterruptedException, BenchFailure {
        List<String> client = Handshakes.command(
                tools.path(PeerProgram.TASKSET), tools.path(PeerProgram.OPENSSL), LOAD_CORE, seconds, contender.url());
        List<Ran> ended = Ran.all(Collections.nCopies(Handshakes.CLIENTS, client));
        return Handshakes.parse(ended.stream().map(Ran::printed).toList(), bytes);
    }

    private Child child(String name, int core, List<String> command, Path place, int port)
            throws IOException, InterruptedException, BenchFailure {
        List<String> words = new ArrayList<>(pinned(core));
        words.addAll(command);
        Child child = Child.start(name, words, place, port, clock);
        started.push(child::close);
        return child;
    }

    private List<String> pinned(int core) {
        return List.of(tools.path(PeerProgram.TASKSET), "-c", String.valueOf(core));
    }

    private Path place(String name) throws IOException {
        return open(Files.createDirectory(folder.resolve(name + "-" + serial++)));
    }

    /** Servers started by root change to other users, which must be able to reach and write this folder. */
    private static Path open(Path folder) throws IOException {
        return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    @Override
    public synchronized void close() throws IOException {
        while (!started.isEmpty()) {
            started.pop().run();
        }
        if (!Files.exists(folder)) {
            return;
        }
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            files = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
    }
}
