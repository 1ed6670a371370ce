package io.weir.lab.bench.jms;

import io.weir.base.Clock;
import io.weir.lab.bench.http.Bed;
import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.Child;
import io.weir.lab.bench.process.PeerProgram;
import io.weir.lab.bench.process.Tools;
import io.weir.lab.bench.process.WeirServer;
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
    private static final Pattern CLIENT =
            Pattern.compile("/(weir-(lab|base|wire|jms-client)|jakarta\\.jms-api|jspecify|HdrHistogram"
                    + "|netty-(buffer|common|resolver|transport))-[0-9][^/]*\\.jar$");
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
    JmsContender weir(String name, WeirServer.Build build) throws IOException, InterruptedException, BenchFailure {
        Path place = place("weir");
        WeirServer weir = WeirServer.start(build, JmsWeir.config(), place, pinned(Bed.SERVER_CORE), clock);
        started.push(weir);
        return contender(name, weir.pid(), loadClassPath(), JmsWeir.environment(weir.port("messaging")));
    }

    /** Starts the peer and its load. */
    JmsContender artemis(String name, boolean tuned, double forces)
            throws IOException, InterruptedException, BenchFailure {
        String libraries = JmsPeer.resolve(home);
        String classPath = labClasses() + ":" + libraries;
        Child broker = JmsPeer.start(classPath, tuned, forces, pinned(Bed.SERVER_CORE), place("artemis"), clock);
        started.push(broker);
        String loadPath = classPath + ":" + loadLibraries();
        return contender(name, broker.pid(), loadPath, JmsPeer.environment(broker.port()));
    }

    private JmsContender contender(String name, long pid, String classPath, Map<String, String> environment)
            throws IOException, BenchFailure {
        JmsLoadProcess load = JmsLoadProcess.start(name, pinned(Bed.LOAD_CORE), classPath, environment, place("load"));
        started.push(load);
        return new JmsContender(name, pid, load);
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

    /** The client's class path as in an application, without the server's libraries and their native transports. */
    private static String loadClassPath() {
        return String.join(
                ":", own().stream().filter(p -> CLIENT.matcher(p).find()).toList());
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
        while (!started.isEmpty()) {
            try {
                started.pop().close();
            } catch (Exception e) {
                throw new IOException("could not be stopped: " + e, e);
            }
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
