package io.weir.cluster.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.base.KeptPort;
import io.weir.base.SystemClock;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.opentest4j.TestAbortedException;

/**
 * A real PostgreSQL for tests: its own data in a temporary folder, its own port on loopback, nothing of an installed cluster
 * touched. PostgreSQL refuses to run as root, so root runs it as nobody. One for all tests of a JVM, ended with it; a test
 * that stops it starts it again.
 *
 * <p>Where there is none the tests are skipped, unless {@code WEIR_CI} is set: {@code .ci/run} installs it, and sets that
 * where there is one. What was not tested must not look as if it was.
 */
final class Postgres {
    private static final List<String> PLACES = List.of(
            "/usr/lib/postgresql/18/bin",
            "/usr/lib/postgresql/17/bin",
            "/usr/lib/postgresql/16/bin",
            "/usr/lib/postgresql/15/bin",
            "/usr/lib/postgresql/14/bin",
            "/usr/pgsql-17/bin",
            "/opt/homebrew/bin",
            "/usr/local/bin",
            "/usr/bin");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static @Nullable Postgres shared;

    private final Path binaries;
    private final Path folder;
    private final int port;
    private @Nullable Process process;

    private Postgres(Path binaries, Path folder, int port) {
        this.binaries = binaries;
        this.folder = folder;
        this.port = port;
    }

    /** The one of this JVM, running. */
    static synchronized Postgres running() {
        Postgres there = shared;
        if (there == null) {
            Path binaries = binaries();
            try {
                there = create(binaries);
                shared = there;
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException("PostgreSQL in " + binaries + " does not start", e);
            }
        }
        return there;
    }

    private static Path binaries() {
        for (String place : PLACES) {
            Path folder = Path.of(place);
            if (Files.isExecutable(folder.resolve("initdb")) && Files.isExecutable(folder.resolve("postgres"))) {
                return realFolder(folder);
            }
        }
        String missing = "no PostgreSQL (initdb and postgres) in " + PLACES + ": database leasing is not tested on it."
                + " Debian: apt-get install postgresql";
        if (System.getenv("WEIR_CI") != null) {
            throw new AssertionError(missing);
        }
        Assumptions.abort(missing);
        throw new TestAbortedException(missing);
    }

    /** Programs find their own files beside where they really are. */
    private static Path realFolder(Path folder) {
        try {
            return Objects.requireNonNull(folder.resolve("initdb").toRealPath().getParent());
        } catch (IOException e) {
            return folder;
        }
    }

    private static Postgres create(Path binaries) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("weir-postgres-");
        if (root()) {
            Files.setOwner(
                    folder,
                    folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
        }
        Postgres made = new Postgres(binaries, folder, freePort());
        Runtime.getRuntime().addShutdownHook(new Thread(made::remove));
        made.run("initdb", "-D", made.data(), "-U", "weir", "-A", "trust", "-E", "UTF8", "--no-locale", "-N");
        made.start();
        return made;
    }

    private static boolean root() {
        return "root".equals(System.getProperty("user.name"));
    }

    private static int freePort() throws IOException {
        return KeptPort.on(InetAddress.getLoopbackAddress());
    }

    private String data() {
        return folder.resolve("data").toString();
    }

    int port() {
        return port;
    }

    String url() {
        return url(port);
    }

    /** Its address over another port, behind which something stands between. */
    static String url(int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=weir&sslmode=disable&gssEncMode=disable";
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(url());
    }

    /** Starts it; returns when it answers. */
    void start() throws IOException {
        List<String> line = command(
                "postgres",
                "-D",
                data(),
                "-p",
                Integer.toString(port),
                "-k",
                folder.toString(),
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "fsync=off",
                "-c",
                "max_connections=100",
                "-c",
                "deadlock_timeout=100ms");
        Process begun = new ProcessBuilder(line)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
                .start();
        process = begun;
        long until = SystemClock.INSTANCE.nanos() + PATIENCE.toNanos();
        while (true) {
            try (Connection c = connect()) {
                c.isValid(5);
                return;
            } catch (SQLException e) {
                if (!begun.isAlive() || SystemClock.INSTANCE.nanos() - until > 0) {
                    throw new IOException("PostgreSQL did not start: " + log(), e);
                }
                LockSupport.parkNanos(20_000_000);
            }
        }
    }

    /** Stops it at once, ending all connections, as an administrator does (fast shutdown). */
    void stop() throws IOException, InterruptedException {
        Process running = Objects.requireNonNull(process);
        new ProcessBuilder("kill", "-INT", Long.toString(running.pid())).start().waitFor();
        if (!running.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new IOException("PostgreSQL did not stop: " + log());
        }
    }

    private String log() {
        try {
            return Files.exists(folder.resolve("log")) ? Files.readString(folder.resolve("log")) : "";
        } catch (IOException e) {
            return e.toString();
        }
    }

    private void run(String program, String... arguments) throws IOException, InterruptedException {
        Process p = new ProcessBuilder(command(program, arguments))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(p.getInputStream().readAllBytes(), UTF_8);
        if (p.waitFor() != 0) {
            throw new IOException(program + " failed: " + said);
        }
    }

    private List<String> command(String program, String... arguments) {
        List<String> line = new ArrayList<>();
        if (root()) {
            line.addAll(List.of("setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups", "--"));
        }
        line.add(binaries.resolve(program).toString());
        line.addAll(List.of(arguments));
        return line;
    }

    /** At the end of the JVM. */
    private void remove() {
        Process running = process;
        if (running != null) {
            running.destroyForcibly();
            running.onExit().orTimeout(10, TimeUnit.SECONDS).join();
        }
        try (Stream<Path> all = Files.walk(folder)) {
            all.sorted(Comparator.reverseOrder()).forEach(p -> p.toFile().delete());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
