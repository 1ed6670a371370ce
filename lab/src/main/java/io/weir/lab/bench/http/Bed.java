package io.weir.lab.bench.http;

import io.weir.base.Clock;
import io.weir.lab.bench.cell.Reaching;
import io.weir.lab.bench.peer.DiskConfigs;
import io.weir.lab.bench.peer.HostileConfigs;
import io.weir.lab.bench.peer.HttpScenario;
import io.weir.lab.bench.peer.MatrixConfigs;
import io.weir.lab.bench.peer.MatrixPorts;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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

    /** What a load may need to start, to stop and to finish what is on the way. */
    private static final int GRACE_SECONDS = 20;

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

    /** The configuration of an nginx. */
    public interface OriginConfig {
        /** Its text, for its folder and port. */
        String text(Path place, int port);
    }

    /**
     * Makes the folder and starts the matrix's origin, an nginx with all sizes and shapes of answers; {@link #handshakes}
     * are for a kilobyte.
     */
    public Bed(Tools tools, WeirServer.Build build, Clock clock)
            throws IOException, InterruptedException, BenchFailure {
        this(tools, build, clock, sizes(), MatrixConfigs::origin);
    }

    private static Map<String, Integer> sizes() {
        Map<String, Integer> files = new HashMap<>();
        for (Size size : Size.values()) {
            files.put(size.key(), size.bytes());
            files.put("twice-" + size.key(), 2 * size.bytes());
        }
        return files;
    }

    /**
     * Makes the folder and starts an nginx as the origin.
     *
     * @param files of its folder {@code www}, with their sizes
     */
    public Bed(Tools tools, WeirServer.Build build, Clock clock, Map<String, Integer> files, OriginConfig config)
            throws IOException, InterruptedException, BenchFailure {
        this.tools = tools;
        this.build = build;
        this.clock = clock;
        this.bytes = Size.ONE.bytes();
        this.folder = open(Files.createTempDirectory("weir-bench"));
        Path place = place("origin");
        int port = Child.freePort();
        Path www = open(Files.createDirectory(place.resolve("www")));
        for (Map.Entry<String, Integer> file : files.entrySet()) {
            write(www.resolve(file.getKey()), file.getValue());
        }
        Path file = Files.writeString(place.resolve("origin.conf"), config.text(place, port));
        List<String> command = List.of(tools.path(PeerProgram.NGINX), "-p", place.toString(), "-c", file.toString());
        this.origin = child("the origin", LOAD_CORE, command, place, port);
        this.slowOrigin = origin;
    }

    /** The origin that answers wrk. */
    private List<String> nginx(Path place, int port, boolean cacheable) throws IOException {
        Path www = open(Files.createDirectory(place.resolve("www")));
        write(www.resolve("o"), bytes);
        Path config = Files.writeString(place.resolve("origin.conf"), PeerConfigs.origin(place, port, cacheable));
        return List.of(tools.path(PeerProgram.NGINX), "-p", place.toString(), "-c", config.toString());
    }

    private static void write(Path file, int bytes) throws IOException {
        Files.write(file, "x".repeat(bytes).getBytes(StandardCharsets.US_ASCII));
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

    public int originPort() {
        return origin.port();
    }

    /** The port of the slow clients' origin; without slow clients, that of all. */
    int slowOriginPort() {
        return slowOrigin.port();
    }

    /** The process id of the origin. */
    public long originPid() {
        return origin.pid();
    }

    /** The process ids of all origins. */
    List<Long> originPids() {
        return slowOrigin == origin ? List.of(origin.pid()) : List.of(origin.pid(), slowOrigin.pid());
    }

    /** Requests that the origin has answered, including this query. */
    public long originRequests() throws IOException, BenchFailure {
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

    public WeirServer weir(WeirServer.Build build, String config)
            throws IOException, InterruptedException, BenchFailure {
        return weir(build, config, place("weir"));
    }

    /** The same in a folder, where it finds what it left there. */
    public WeirServer weir(WeirServer.Build build, String config, Path place)
            throws IOException, InterruptedException, BenchFailure {
        WeirServer weir = WeirServer.start(build, config, place, pinned(SERVER_CORE), clock);
        started.push(weir::close);
        return weir;
    }

    /** Starts several at once, which may wait for each other. */
    public List<WeirServer> weirs(WeirServer.Build build, List<String> configs)
            throws IOException, InterruptedException, BenchFailure {
        List<WeirServer> all = new ArrayList<>();
        try (ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<WeirServer>> starting = new ArrayList<>();
            for (String config : configs) {
                Path place = place("weir");
                starting.add(each.submit(() -> WeirServer.start(build, config, place, pinned(SERVER_CORE), clock)));
            }
            for (Future<WeirServer> one : starting) {
                WeirServer weir = one.get();
                started.push(weir::close);
                all.add(weir);
            }
        } catch (ExecutionException e) {
            throw new BenchFailure(String.valueOf(e.getCause()), e);
        }
        return all;
    }

    /** Starts a peer that can hold this many connections. */
    Child peer(Peer peer, boolean cache, int connections, boolean secure)
            throws IOException, InterruptedException, BenchFailure {
        return peer(peer, cache, connections, secure, false);
    }

    /**
     * The same.
     *
     * @param http2 whether it speaks HTTP/2 under TLS
     */
    Child peer(Peer peer, boolean cache, int connections, boolean secure, boolean http2)
            throws IOException, InterruptedException, BenchFailure {
        Path place = place(peer.key());
        int port = Child.freePort();
        PeerConfigs.Plan plan =
                new PeerConfigs.Plan(place, port, origin.port(), cache, connections, secure ? keys() : null, http2);
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

    /** Starts a peer with the ports of the matrix. */
    public Child peer(Peer peer, MatrixPorts ports, int echoPort)
            throws IOException, InterruptedException, BenchFailure {
        Path place = place(peer.key());
        MatrixConfigs.Plan plan = new MatrixConfigs.Plan(place, ports, origin.port(), echoPort, keys());
        List<String> command = MatrixConfigs.prepare(peer, tools.path(peer.program()), plan);
        return child(peer.key(), SERVER_CORE, command, place, ports.plain());
    }

    /**
     * Starts a peer with a cache on a disk.
     *
     * @param again whether its cache is there already
     */
    public Child peer(Peer peer, DiskConfigs.Plan plan, boolean again)
            throws IOException, InterruptedException, BenchFailure {
        String program = tools.path(peer.program());
        List<String> command = DiskConfigs.prepare(peer, program, plan);
        if (!again) {
            for (List<String> first : DiskConfigs.first(peer, program, plan)) {
                Ran ran = Ran.of(first);
                if (ran.exit() != 0) {
                    throw new BenchFailure(String.join(" ", first) + " failed: "
                            + ran.printed().strip());
                }
            }
        }
        return child(peer.key(), SERVER_CORE, command, plan.folder(), plan.port());
    }

    /**
     * Starts a program of this room on a processor, and waits for its port.
     *
     * @param main its class
     */
    public Child program(String name, int core, Class<?> main, int port, List<String> arguments)
            throws IOException, InterruptedException, BenchFailure {
        List<String> command = JmsJvm.command(
                System.getProperty("java.class.path", ""), main.getName(), arguments.toArray(String[]::new));
        return child(name, core, command, place(name.replaceAll("\\W", "-")), port);
    }

    /** Where a file of this name lives as long as this. */
    Path place(String name, String file) throws IOException {
        return place(name).resolve(file);
    }

    /** A file that lives as long as this. */
    public Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    /** A folder with a certificate for 127.0.0.1 and its key, an elliptic curve's, made at the first call. */
    public Path keys() throws IOException, InterruptedException, BenchFailure {
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
    public List<String> onLoadCore() {
        return pinned(LOAD_CORE);
    }

    /** The same, at the lowest priority. */
    List<String> lowPriorityOnLoadCore() {
        List<String> words = new ArrayList<>(pinned(LOAD_CORE));
        words.addAll(LOW_PRIORITY);
        return words;
    }

    /** Loads a server. */
    Counts load(Contender contender, int seconds) throws IOException, InterruptedException, BenchFailure {
        return answered(
                contender,
                contender.shakesHands() ? handshakes(contender, seconds) : wrk(contender, seconds, List.of()));
    }

    /** Warms a server up. Always with wrk, which is faster, and with a Host, without which the peers cannot fetch. */
    Counts warm(Contender contender, int seconds) throws IOException, InterruptedException, BenchFailure {
        return answered(contender, wrk(contender, seconds, List.of()));
    }

    private static Counts answered(Contender contender, Counts counts) throws BenchFailure {
        if (counts.refused() > 0) {
            throw new BenchFailure(contender.name() + " answered " + counts.refused() + " requests with an error");
        }
        return counts;
    }

    /** The existing kinds of load with the origin's count. */
    List<Entrant> entrants(List<Contender> contenders, Reaching reaching) {
        return contenders.stream()
                .map(c -> new Entrant(c, reaching, this::warm, this::load, this::originRequests))
                .toList();
    }

    /**
     * Loads by wrk.
     *
     * @param more options besides the number of connections and the duration
     */
    public Counts wrk(Contender contender, int seconds, List<String> more)
            throws IOException, InterruptedException, BenchFailure {
        return Wrk.parse(Ran.of(Wrk.command(
                        tools.path(PeerProgram.TASKSET),
                        tools.path(PeerProgram.WRK),
                        LOAD_CORE,
                        seconds,
                        contender,
                        more))
                .printed());
    }

    /**
     * Loads by h2load.
     *
     * @param seconds it may take ten times as long
     * @param words its options and the URL
     */
    public Counts h2load(int seconds, List<String> words) throws IOException, InterruptedException, BenchFailure {
        List<String> command = new ArrayList<>(onLoadCore());
        command.add(tools.path(PeerProgram.H2LOAD));
        command.addAll(words);
        return H2load.parse(
                Ran.within(10 * seconds + GRACE_SECONDS, command).printed(),
                words.contains("--h1") ? "http/1.1" : "h2");
    }

    /** Full TLS handshakes, each with an answer of this number of bytes. */
    public Counts handshakes(Contender contender, int seconds) throws IOException, InterruptedException, BenchFailure {
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

    /** A new folder that lives as long as this. */
    public Path place(String name) throws IOException {
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
