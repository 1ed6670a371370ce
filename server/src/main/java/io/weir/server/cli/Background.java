package io.weir.server.cli;

import io.weir.base.IoReason;
import io.weir.base.OwnerOnly;
import io.weir.server.files.DataDirectory;
import io.weir.server.files.PrivateFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Starts the server as a separate process, in its own session so that the terminal's signals do not reach it, and waits
 * until it is ready or has failed. Lives for one call.
 */
final class Background {
    /** The file in the data directory for what the background process prints until it is ready. */
    static final String OUTPUT = "server.out";

    private static final long POLL_MILLIS = 20;

    private final Path dataDir;
    private final String stop;
    private final PrintWriter out;

    /** @param stop the command that stops it */
    Background(Path dataDir, String stop, PrintWriter out) {
        this.dataDir = dataDir;
        this.stop = stop;
        this.out = out;
    }

    /** Returns 0 when the server is ready, 1 when it ended before. */
    int start() throws IOException, InterruptedException {
        try {
            PrivateFiles.folder(dataDir);
        } catch (IOException e) {
            throw new CliFailure(
                    "the server did not start: the data directory " + dataDir + " cannot be made: " + IoReason.ofFile(e)
                            + ". Correct server.data-dir",
                    e);
        }
        if (DataDirectory.held(dataDir)) {
            throw new CliFailure("the server did not start: " + DataDirectory.inUse(dataDir));
        }
        // a separate file: a concurrent start neither truncates nor shows it
        Path output = dataDir.resolve(OUTPUT + "." + ProcessHandle.current().pid());
        try {
            tidy();
            Files.deleteIfExists(output);
            OwnerOnly.create(output);
        } catch (IOException e) {
            throw new CliFailure(
                    "the server did not start: the data directory " + dataDir + " cannot be written: " + IoReason.of(e)
                            + ". Correct its permissions, or server.data-dir",
                    e);
        }
        Process process = new ProcessBuilder(command())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
            Map<String, String> facts = DataDirectory.pidFile(dataDir);
            String pid = facts.get("pid");
            if (Long.toString(process.pid()).equals(pid) && facts.containsKey(DataDirectory.ANNOUNCED)) {
                show(output);
                // the process keeps writing there, under the documented name
                Files.move(output, dataDir.resolve(OUTPUT), StandardCopyOption.REPLACE_EXISTING);
                out.println("The server runs in the background as process " + pid + "; " + stop + " ends it.");
                out.flush();
                return 0;
            }
        }
        show(output);
        if (Files.size(output) == 0) {
            throw new CliFailure("the server did not start (its process ended with status " + process.exitValue()
                    + ") and could write nothing to " + output + ": is there room on the disk?");
        }
        Files.deleteIfExists(output);
        return 1;
    }

    /** Removes what killed commands left. */
    private void tidy() throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(dataDir, OUTPUT + ".*")) {
            for (Path file : left) {
                String pid = file.getFileName().toString().substring(OUTPUT.length() + 1);
                if (pid.matches("\\d{1,18}")
                        && ProcessHandle.of(Long.parseLong(pid)).isEmpty()) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    private void show(Path output) throws IOException {
        out.print(Files.readString(output));
        out.flush();
    }

    /** The same command line, with the marker of the background process instead of {@code --background}. */
    private static List<String> command() throws IOException {
        byte[] raw = Files.readAllBytes(Path.of("/proc/self/cmdline"));
        List<String> words = new ArrayList<>(List.of(new String(raw, StandardCharsets.UTF_8).split("\0", -1)));
        words.removeLast();
        words.set(0, ProcessHandle.current().info().command().orElse(words.getFirst()));
        words.replaceAll(w -> w.equals("--background") ? "--detached" : w);
        if (Files.isExecutable(Path.of("/usr/bin/setsid"))) {
            words.addFirst("/usr/bin/setsid");
        }
        return words;
    }
}
