package io.weir.lab.process;

import io.weir.base.SystemClock;
import io.weir.base.TestDistribution;
import io.weir.lab.scenario.ProcessLauncher;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Starts server processes from the tests' own class path, with leak detection for every buffer. Stateless. */
public final class Servers {
    private static final List<String> OPTIONS = List.of(
            "--sun-misc-unsafe-memory-access=allow",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            // as the launcher does: a start costs a sixth less
            "-Djdk.reflect.useNativeAccessorOnly=true",
            // nor is the start-up cache moved to a random address, which costs a tenth
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:ArchiveRelocationMode=0",
            // as in the tests' own processes: keys in memory are not encrypted ten thousand times over
            "-Dkeystore.pkcs12.keyPbeIterationCount=1",
            "-Dkeystore.pkcs12.certPbeIterationCount=1",
            "-Dkeystore.pkcs12.macIterationCount=1",
            "-Xmx256m",
            "-Dio.netty.leakDetection.level=simple",
            "-Dio.netty.leakDetection.samplingInterval=1");

    private static final String MAIN = "io.weir.server.cli.Main";

    /** Samples come to a server as a user's jar does, not on its class path. */
    private static final Pattern SAMPLE = Pattern.compile("samples.(singleton|poller|scheduler).target");

    private Servers() {}

    public static ProcessLauncher launcher() {
        List<String> options = new ArrayList<>(OPTIONS);
        options.addAll(Distribution.MADE.options());
        return new ProcessLauncher(Distribution.MADE.jar(), options, SystemClock.INSTANCE);
    }

    /** What {@code ./weir} of an operator's shell runs. */
    static TestDistribution distribution() {
        return Distribution.MADE;
    }

    private static final class Distribution {
        static final TestDistribution MADE = TestDistribution.of(MAIN);
    }

    /** Puts the jar of a sample into a folder, as its README tells a user to. */
    public static Path sample(String name, Path lib) throws IOException {
        Path built = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(e -> isSample(e, name))
                .map(Path::of)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the sample " + name + " is not on the class path"));
        Files.createDirectories(lib);
        Path jar = lib.resolve("weir-sample-" + name + ".jar");
        return Files.isDirectory(built) ? TestDistribution.pack(built, jar) : Files.copy(built, jar);
    }

    private static boolean isSample(String entry, String name) {
        Matcher m = SAMPLE.matcher(entry);
        return m.find() && m.group(1).equals(name);
    }

    /** A configuration file with one HTTP listener and one reverse route. */
    static Path reverse(Path folder, int originPort, String more) throws IOException {
        return Files.writeString(folder.resolve("weir.yaml"), """
                listeners:
                  http: {address: 127.0.0.1, port: 0}
                admin: {port: 0}
                proxy:
                  routes:
                    - path: /
                      origins: ["http://127.0.0.1:%d"]
                """.formatted(originPort) + more);
    }

    /** Looks until the condition holds; false when it does not within so many milliseconds. */
    public static boolean within(long millis, Await.Condition condition) throws Exception {
        return Await.within(Duration.ofMillis(millis), condition);
    }
}
