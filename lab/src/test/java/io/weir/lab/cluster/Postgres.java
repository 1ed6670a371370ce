package io.weir.lab.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.base.KeptPort;
import io.weir.lab.process.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A real PostgreSQL for servers under test: its own data in a temporary folder, its own port on loopback. It refuses to run as
 * root, so root runs it as nobody. Where there is none the test is skipped, unless {@code WEIR_CI} says that there must be one.
 * Confined to the test's thread.
 */
public final class Postgres implements AutoCloseable {
    private static final List<String> PLACES = List.of("/usr/lib/postgresql", "/usr/local", "/usr");

    private final Path binaries;
    private final Path folder;
    private final int port;

    private Postgres(Path binaries, Path folder, int port) {
        this.binaries = binaries;
        this.folder = folder;
        this.port = port;
    }

    /** One that runs. */
    public static Postgres start() throws IOException {
        Path binaries = binaries();
        Path folder = Files.createTempDirectory("weir-postgres-");
        if (root()) {
            Files.setOwner(
                    folder,
                    folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
        }
        Postgres made = new Postgres(binaries, folder, freePort());
        made.run("initdb", "-D", made.data(), "-U", "weir", "-A", "trust", "-E", "UTF8", "--no-locale", "-N");
        made.up();
        return made;
    }

    private static Path binaries() throws IOException {
        for (String place : PLACES) {
            try (Stream<Path> below = Files.exists(Path.of(place)) ? Files.walk(Path.of(place), 2) : Stream.empty()) {
                List<Path> found = below.filter(p -> p.endsWith("bin"))
                        .filter(p -> Files.isExecutable(p.resolve("pg_ctl")) && Files.isExecutable(p.resolve("initdb")))
                        .sorted(Comparator.reverseOrder())
                        .toList();
                if (!found.isEmpty()) {
                    return found.getFirst();
                }
            }
        }
        String missing = "no PostgreSQL (pg_ctl and initdb) below " + PLACES + ": servers are not tested on it."
                + " Debian: apt-get install postgresql";
        if (System.getenv("WEIR_CI") != null) {
            throw new AssertionError(missing);
        }
        return Assumptions.<Path>abort(missing);
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

    public String url() {
        return url(port);
    }

    /** Over another port. */
    static String url(int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=weir&sslmode=disable&gssEncMode=disable";
    }

    /** Starts it; returns when it answers. Commits are forced to the disk, as an installed one's are. */
    void up() throws IOException {
        String options =
                "-p " + port + " -k " + folder + " -c listen_addresses=127.0.0.1 -c max_prepared_transactions=100";
        run("pg_ctl", "start", "-w", "-D", data(), "-l", folder.resolve("log").toString(), "-o", options);
    }

    /** Stops it at once, ending all connections, as an administrator does. */
    void down() throws IOException {
        run("pg_ctl", "stop", "-w", "-m", "fast", "-D", data());
    }

    private void run(String program, String... arguments) throws IOException {
        List<String> line = new ArrayList<>();
        if (root()) {
            line.addAll(List.of("setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups", "--"));
        }
        line.add(binaries.resolve(program).toString());
        line.addAll(List.of(arguments));
        Path said = folder.resolve(program + ".out");
        Process process = new ProcessBuilder(line)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            process.onExit().get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            process.destroyForcibly();
            throw new IOException(program + " does not end: " + Files.readString(said, UTF_8), e);
        }
        if (process.exitValue() != 0) {
            throw new IOException(program + " failed: " + Files.readString(said, UTF_8));
        }
    }

    @Override
    public void close() throws IOException {
        run("pg_ctl", "stop", "-w", "-m", "immediate", "-D", data());
        try (Stream<Path> all = Files.walk(folder)) {
            all.sorted(Comparator.reverseOrder()).forEach(p -> p.toFile().delete());
        }
    }
}
