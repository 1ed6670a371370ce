package io.weir.lab.samples;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program in a JVM of its own, with the tests' class path, as a user's shell runs it. */
final class Jvm implements AutoCloseable {
    private final Process process;
    private final Path output;

    private Jvm(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    static Jvm start(Path folder, Class<?> program, String... arguments) throws IOException {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path")
                        .replace(File.pathSeparator + File.pathSeparator, File.pathSeparator),
                program.getName()));
        line.addAll(List.of(arguments));
        Path output = Files.createTempFile(folder, "program", ".out");
        Process process = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new Jvm(process, output);
    }

    /** What it has printed so far. */
    List<String> printed() throws IOException {
        return Files.readString(output, UTF_8).lines().toList();
    }

    /** What it printed, once it has ended well. */
    List<String> ended() throws IOException, InterruptedException {
        if (!process.waitFor(300, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException("the program did not end well: " + printed());
        }
        return printed();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
