package io.weir.lab.application;

import io.weir.lab.house.House;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A user's program in a JVM of its own, run to its end. Stateless. */
final class Application {
    private static final Path JVMS = Path.of("/usr/lib/jvm");
    private static final int PATIENCE_SECONDS = 120;

    private Application() {}

    /** The JVMs to try: a Java 17, if the machine has one, and the one of the tests. */
    static List<Path> jvms() throws IOException {
        Path own = Path.of(System.getProperty("java.home"));
        if (!Files.isDirectory(JVMS)) {
            return List.of(own);
        }
        try (Stream<Path> all = Files.list(JVMS)) {
            return Stream.concat(all.filter(Application::isJava17).sorted().limit(1), Stream.of(own))
                    .toList();
        }
    }

    private static boolean isJava17(Path home) {
        try {
            return Files.isExecutable(home.resolve("bin/java"))
                    && Files.readString(home.resolve("release")).contains("JAVA_VERSION=\"17.");
        } catch (IOException e) {
            return false;
        }
    }

    /** The client's jar, as the build made it. */
    static Path client() throws IOException {
        return jars(House.root().resolve("client/target"), "weir-jms-client-\\d[^-]*(-SNAPSHOT)?")
                .getFirst();
    }

    /** A jar of the tests' own class path. */
    static Path library(String name) {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(Path::of)
                .filter(p -> String.valueOf(p.getFileName()).matches(name + "-\\d.*\\.jar"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no " + name + " on the class path"));
    }

    static List<Path> jars(Path folder, String name) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            List<Path> found = all.filter(p -> p.getFileName().toString().matches(name + "\\.jar"))
                    .sorted()
                    .toList();
            if (found.isEmpty()) {
                throw new IllegalStateException("no " + name + ".jar in " + folder + ": run the tests with Maven");
            }
            return found;
        }
    }

    /** What a command printed; it has to end well. */
    static String run(Path folder, List<String> command, String... environment) throws Exception {
        Path output = Files.createTempFile(folder, "program", ".out");
        ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        for (String variable : environment) {
            String[] parts = variable.split("=", 2);
            builder.environment().put(parts[0], parts[1]);
        }
        Process process = builder.start();
        process.getOutputStream().close();
        try {
            boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
            String printed = Files.readString(output, StandardCharsets.UTF_8);
            if (!ended || process.exitValue() != 0) {
                throw new IOException((ended ? "it ended with " + process.exitValue() : "it did not end") + ": "
                        + command + "\n" + printed);
            }
            return printed;
        } finally {
            process.destroyForcibly();
        }
    }
}
