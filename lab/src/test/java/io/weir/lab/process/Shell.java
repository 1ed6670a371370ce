package io.weir.lab.process;

import io.weir.lab.house.House;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An operator's shell: runs {@code ./weir} with the servers that these tests start. Confined to the test's thread. */
public final class Shell {
    /** What a command said. */
    public record Said(int code, String out, String err) {}

    private final Path folder;
    private final Path at;
    private int commands;

    /** @param folder gets what commands print */
    public Shell(Path folder) throws IOException {
        this(folder, folder);
    }

    /** @param at the directory in which commands run */
    public Shell(Path folder, Path at) throws IOException {
        this.folder = Files.createDirectories(folder);
        this.at = at;
    }

    /**
     * Runs a command for the server of a data directory.
     *
     * @param verb such as {@code deploy} or {@code cluster members}
     */
    public Said run(Path data, String verb, String... words) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(House.root().resolve("weir").toString()));
        line.addAll(List.of(verb.split(" ", -1)));
        line.addAll(List.of("--set", "server.data-dir=" + data));
        line.addAll(List.of(words));
        Path out = folder.resolve("out." + commands);
        Path err = folder.resolve("err." + commands++);
        ProcessBuilder builder = new ProcessBuilder(line)
                .directory(at.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().put("WEIR_DIST", Servers.distribution().folder().toString());
        builder.environment().put("WEIR_JAVA_HOME", System.getProperty("java.home"));
        builder.environment()
                .put(
                        "WEIR_JAVA_OPTS",
                        "-XX:TieredStopAtLevel=1 "
                                + String.join(" ", Servers.distribution().options()));
        Process process = builder.start();
        if (!process.waitFor(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError(line + " does not end: " + Files.readString(out) + Files.readString(err));
        }
        return new Said(
                process.exitValue(),
                Files.readString(out, StandardCharsets.UTF_8),
                Files.readString(err, StandardCharsets.UTF_8));
    }

    /** The same; what it prints, when it ends well. */
    public String ok(Path data, String verb, String... words) throws IOException, InterruptedException {
        Said said = run(data, verb, words);
        if (said.code() != 0) {
            throw new AssertionError("weir " + verb + " " + List.of(words) + ": " + said);
        }
        return said.out();
    }
}
