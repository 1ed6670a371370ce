package io.weir.lab.process;

import io.weir.base.SystemClock;
import io.weir.lab.scenario.ProcessLauncher;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Starts server processes from the tests' own class path, with paranoid leak detection. Stateless. */
public final class Servers {
    private static final List<String> OPTIONS = List.of(
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx256m",
            "-Dio.netty.leakDetection.level=paranoid",
            "-Dio.netty.leakDetection.targetRecords=30");

    private static final String MAIN = "io.weir.server.cli.Main";

    /** Samples come to a server as a user's jar does, not on its class path. */
    private static final Pattern SAMPLE = Pattern.compile("samples.(singleton|poller|scheduler).target");

    private Servers() {}

    public static ProcessLauncher launcher() {
        List<String> options = new ArrayList<>(OPTIONS);
        options.addAll(StartCache.OPTION);
        return new ProcessLauncher(Jars.CLASS_PATH, MAIN, options, SystemClock.INSTANCE);
    }

    /** The cache of classes that {@code ./weir} starts with, made once in a test process: it halves what a start costs. */
    private static final class StartCache {
        private static final int SECONDS = 180;

        static final List<String> OPTION = make();

        private static List<String> make() {
            try {
                Path folder = Files.createTempDirectory("weir-start");
                Path cache = folder.resolve("start.aot");
                List<String> words = new ArrayList<>();
                words.add(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString());
                words.addAll(OPTIONS);
                words.addAll(List.of("-XX:AOTCacheOutput=" + cache, "-cp", Jars.CLASS_PATH, MAIN, "train"));
                Process training = new ProcessBuilder(words)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("out").toFile())
                        .start();
                boolean made = training.waitFor(SECONDS, TimeUnit.SECONDS) && Files.exists(cache);
                training.destroyForcibly();
                folder.toFile().deleteOnExit();
                cache.toFile().deleteOnExit();
                folder.resolve("out").toFile().deleteOnExit();
                if (made) {
                    return List.of("-XX:AOTCache=" + cache);
                }
                // only slower
                System.out.println("no start cache: " + Files.readString(folder.resolve("out")));
                return List.of();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return List.of();
            }
        }
    }

    /** A distribution for the launcher, {@code WEIR_DIST}: its jar only names the class path of the servers here. */
    static Path distribution(Path folder) throws IOException {
        Manifest manifest = new Manifest();
        Attributes main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        main.put(Attributes.Name.MAIN_CLASS, MAIN);
        main.put(
                Attributes.Name.CLASS_PATH,
                Stream.of(Jars.CLASS_PATH.split(File.pathSeparator, -1))
                        .map(entry -> Path.of(entry).toUri().toString())
                        .collect(Collectors.joining(" ")));
        main.putValue("Enable-Native-Access", "ALL-UNNAMED");
        Path jar = Files.createDirectories(folder.resolve("lib")).resolve("weir-server-test.jar");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        return folder;
    }

    /**
     * The tests' class path with its folders packed into jars, as a distribution has them: a class in a folder costs a
     * descriptor to load, one in an open jar does not.
     */
    private static final class Jars {
        static final String CLASS_PATH = Stream.of(
                        System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(e -> !e.contains("test-classes"))
                .filter(e -> !SAMPLE.matcher(e).find())
                .map(e -> Files.isDirectory(Path.of(e)) ? jar(Path.of(e)) : e)
                .collect(Collectors.joining(File.pathSeparator));

        private static String jar(Path folder) {
            try {
                Path jar = Files.createTempFile("weir", ".jar");
                jar.toFile().deleteOnExit();
                return pack(folder, jar).toString();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** A folder of classes as a jar. */
    private static Path pack(Path folder, Path jar) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new JarEntry(folder.relativize(file).toString()));
                Files.copy(file, out);
                out.closeEntry();
            }
        }
        return jar;
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
        return Files.isDirectory(built) ? pack(built, jar) : Files.copy(built, jar);
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
