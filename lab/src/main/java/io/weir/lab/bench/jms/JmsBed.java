package io.weir.lab.bench.jms;

import io.weir.base.Clock;
import io.weir.lab.bench.http.Bed;
import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.Child;
import io.weir.lab.bench.process.LineProcess;
import io.weir.lab.bench.process.PeerProgram;
import io.weir.lab.bench.process.Tools;
import io.weir.lab.bench.process.WeirServer;
import io.weir.lab.bench.program.ForceProbeCommand;
import io.weir.lab.scenario.Certificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A temporary folder, brokers on the first processor and their loads on the second. Lives until closed, which stops
 * everything that was started and deletes the folder; also when the operator interrupts. Its methods are called by one
 * thread at a time.
 */
final class JmsBed implements AutoCloseable {
    private static final String PLAIN = "/(weir-(lab|base|wire|jms(-client)?)|jakarta\\.jms-api|jspecify|HdrHistogram"
            + "|netty-(buffer|common|resolver|transport";

    private static final String VERSION = "))-[0-9][^/]*\\.jar$";
    private static final Pattern CLIENT = Pattern.compile(PLAIN + VERSION);
    /** What TLS needs besides, as documented in docs/wire.md. */
    private static final Pattern SECURE_CLIENT =
            Pattern.compile(PLAIN + "|handler|codec-base|transport-native-unix-common" + VERSION);

    private final Tools tools;
    private final Path home;
    private final Clock clock;
    private final Path folder;
    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private int serial;

    JmsBed(Tools tools, Path home, Clock clock) throws IOException {
        this.tools = tools;
        this.home = home;
        this.clock = clock;
        this.folder = Files.createTempDirectory(parent(home), "jms");
    }

    /**
     * The folder is next to the peer's libraries and not in /tmp, which may be in memory: forced writes must reach a
     * disk.
     */
    static Path parent(Path home) throws IOException {
        return Files.createDirectories(home.resolve("lab/target/bench"));
    }

    /** Starts a build of Weir and its load; the load's client is always this build's. */
    JmsContender weir(String name, WeirServer.Build build, boolean secure)
            throws IOException, InterruptedException, BenchFailure {
        Path place = place("weir");
        String config = secure ? JmsWeir.secure(keys().variables()) : JmsWeir.config();
        WeirServer weir = WeirServer.start(build, config, place, pinned(Bed.SERVER_CORE), clock);
        started.push(weir);
        int port = weir.port("messaging");
        JmsLoadProcess load = load(
                name,
                secure ? trust() : List.of(),
                secure ? loadClassPath(SECURE_CLIENT) : loadClassPath(CLIENT),
                JmsWeir.environment(port, secure));
        return new JmsContender(name, weir.pid(), load, weir);
    }

    /** Starts the peer and its load. */
    JmsContender artemis(String name, boolean tuned, double forces, boolean secure)
            throws IOException, InterruptedException, BenchFailure {
        String libraries = JmsPeer.resolve(home);
        String classPath = labClasses() + ":" + libraries;
        Certificates keys = secure ? keys() : null;
        Child broker = JmsPeer.start(classPath, tuned, forces, keys, pinned(Bed.SERVER_CORE), place("artemis"), clock);
        started.push(broker);
        String loadPath = classPath + ":" + loadLibraries();
        JmsLoadProcess load = load(name, List.of(), loadPath, JmsPeer.environment(broker.port(), keys));
        return new JmsContender(name, broker.pid(), load, null);
    }

    private JmsLoadProcess load(String name, List<String> options, String classPath, Map<String, String> environment)
            throws IOException, BenchFailure {
        JmsLoadProcess load =
                JmsLoadProcess.start(name, pinned(Bed.LOAD_CORE), options, classPath, environment, place("load"));
        started.push(load);
        return load;
    }

    /** Starts a probe of forced writes in the file system of the brokers, pinned like them. */
    LineProcess probe() throws IOException, BenchFailure {
        Path place = place("probe");
        LineProcess probe =
                LineProcess.start("the probe", pinned(Bed.SERVER_CORE), ForceProbeCommand.class, place.toString());
        started.push(probe);
        return probe;
    }

    /** How much was started so far, for {@link #stop}. */
    int mark() {
        return started.size();
    }

    /** Stops what was started since then. */
    synchronized void stop(int mark) throws IOException {
        while (started.size() > mark) {
            try {
                started.pop().close();
            } catch (Exception e) {
                throw new IOException("could not be stopped: " + e, e);
            }
        }
    }

    private Certificates keys() {
        return Certificates.in(folder.resolve("keys"));
    }

    private List<String> trust() {
        Map<String, String> files = keys().variables();
        return List.of(
                "-Djavax.net.ssl.trustStore=" + files.get("trust"),
                "-Djavax.net.ssl.trustStorePassword=" + files.get("password"));
    }

    private static String labClasses() {
        return own().getFirst();
    }

    /** The libraries that the load needs besides a provider. */
    private static String loadLibraries() {
        return String.join(
                ":",
                own().stream()
                        .filter(p -> p.matches(".*/(weir-base|HdrHistogram)-[^/]*"))
                        .toList());
    }

    /** Whether the load has a jar, by its path. */
    static boolean isClients(String jar) {
        return CLIENT.matcher(jar).find();
    }

    /** The client's class path as in an application, without the server's libraries and their native transports. */
    private static String loadClassPath(Pattern libraries) {
        return String.join(
                ":", own().stream().filter(p -> libraries.matcher(p).find()).toList());
    }

    private static List<String> own() {
        return List.of(System.getProperty("java.class.path", "").split(":", -1));
    }

    private List<String> pinned(int core) {
        return List.of(tools.path(PeerProgram.TASKSET), "-c", String.valueOf(core));
    }

    private Path place(String name) throws IOException {
        return Files.createDirectory(folder.resolve(name + "-" + serial++));
    }

    @Override
    public synchronized void close() throws IOException {
        stop(0);
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
