package io.weir.base;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * Room server and what it needs as a distribution that {@code ./weir} and tests start servers from: one jar whose manifest names
 * all others, with a start-up cache of classes, which halves what a start costs. It is made once for all test processes of
 * all rooms, in {@code target} of room server. Immutable; thread-safe.
 *
 * @param folder to be given to {@code ./weir} as {@code WEIR_DIST}
 * @param jar the jar to start
 * @param options of the JVM that make it use the cache, and refuse to start where other options do not allow that; none
 *     where no cache could be made: starts are slower then
 */
public record TestDistribution(Path folder, Path jar, List<String> options) {
    private static final String PREFIX = "distribution-";
    private static final String MADE = "made";
    private static final int TRAINING_SECONDS = 180;
    private static final String UNLOCK = "-XX:+UnlockDiagnosticVMOptions";
    /** As the launcher does: with it the compiler works at each start, a fifth of what a start costs. */
    private static final String NO_TRAINING = "-XX:-AOTReplayTraining";

    /**
     * Makes the distribution, or finds it.
     *
     * @param main the class to start; its verb {@code train} starts a server and stops it
     */
    public static TestDistribution of(String main) {
        try {
            Path target = Path.of("../server/target").toAbsolutePath().normalize();
            // Maven writes it: what room server needs to run, without what its tests need
            String needed = Files.readString(target.resolve("runtime-class-path"));
            List<Path> entries = Stream.of((target.resolve("classes") + ":" + needed.strip()).split(":", -1))
                    .map(Path::of)
                    .filter(Files::exists)
                    .toList();
            Path folder = target.resolve(PREFIX + fingerprint(entries));
            try (FileChannel file = FileChannel.open(
                            target.resolve("distribution.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock _ = file.lock()) {
                if (!Files.exists(folder.resolve(MADE))) {
                    deleteOthers(target);
                    make(folder, entries, main);
                    Files.createFile(folder.resolve(MADE));
                }
            }
            Path cache = folder.resolve("start.aot");
            return new TestDistribution(
                    folder,
                    jar(folder),
                    Files.exists(cache)
                            ? List.of(UNLOCK, NO_TRAINING, "-XX:AOTCache=" + cache, "-XX:AOTMode=on")
                            : List.of());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path jar(Path folder) {
        return folder.resolve("lib/weir-server-test.jar");
    }

    /** Of names, sizes and times of all files: what was compiled since is another distribution. */
    private static String fingerprint(List<Path> entries) throws IOException {
        CRC32 sum = new CRC32();
        add(sum, System.getProperty("java.home"));
        for (Path entry : entries) {
            try (Stream<Path> files = Files.walk(entry)) {
                for (Path f : files.filter(Files::isRegularFile).sorted().toList()) {
                    add(sum, f + " " + Files.size(f) + " " + Files.getLastModifiedTime(f));
                }
            }
        }
        return Long.toHexString(sum.getValue());
    }

    private static void add(CRC32 sum, String text) {
        sum.update(text.getBytes(StandardCharsets.UTF_8));
    }

    private static void deleteOthers(Path target) throws IOException {
        try (Stream<Path> all = Files.list(target)) {
            for (Path old : all.filter(p -> p.getFileName().toString().startsWith(PREFIX))
                    .toList()) {
                try (Stream<Path> files = Files.walk(old)) {
                    for (Path f : files.sorted(Comparator.reverseOrder()).toList()) {
                        Files.deleteIfExists(f);
                    }
                }
            }
        }
    }

    private static void make(Path folder, List<Path> entries, String main) throws IOException {
        Path lib = Files.createDirectories(folder.resolve("lib"));
        List<String> names = new ArrayList<>();
        for (Path entry : entries) {
            // the cache takes classes of jars only, and of those that the manifest names relative to its own
            boolean folderOfClasses = Files.isDirectory(entry);
            String name = names.size() + (folderOfClasses ? "-classes.jar" : "-" + entry.getFileName());
            names.add(name);
            if (folderOfClasses) {
                pack(entry, lib.resolve(name));
            } else {
                Files.copy(entry, lib.resolve(name));
            }
        }
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.put(Attributes.Name.MAIN_CLASS, main);
        attributes.put(Attributes.Name.CLASS_PATH, String.join(" ", names));
        attributes.putValue("Enable-Native-Access", "ALL-UNNAMED");
        new JarOutputStream(Files.newOutputStream(jar(folder)), manifest).close();
        train(folder);
    }

    private static void train(Path folder) throws IOException {
        Path output = folder.resolve("train.out");
        // a slow machine may be stopped in the middle of it: only a whole one gets the name
        Path written = folder.resolve("start.new");
        Process training = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--sun-misc-unsafe-memory-access=allow",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Djdk.reflect.useNativeAccessorOnly=true",
                        UNLOCK,
                        "-XX:-AOTRecordTraining",
                        NO_TRAINING,
                        "-XX:AOTCacheOutput=" + written,
                        "-jar",
                        jar(folder).toString(),
                        "train")
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            if (!training.waitFor(TRAINING_SECONDS, TimeUnit.SECONDS) || training.exitValue() != 0) {
                System.out.println("no start-up cache: " + Files.readString(output));
            } else if (Files.exists(written)) {
                Files.move(written, folder.resolve("start.aot"));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            training.destroyForcibly();
        }
    }

    /** Packs a folder of classes into a jar. */
    public static Path pack(Path folder, Path jar) throws IOException {
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
}
