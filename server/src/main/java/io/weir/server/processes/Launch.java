package io.weir.server.processes;

import io.weir.server.files.PrivateFiles;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How worker processes are started. Immutable.
 *
 * @param config the configuration file that workers read; null for the embedded default
 * @param folder of what belongs to single workers
 * @param listeners of the sockets that each is given, in that order
 */
record Launch(WorkerWords words, @Nullable Path config, Path dataDir, Path folder, List<String> listeners) {
    /** Where workers connect. */
    Path link() {
        return folder.resolve("link");
    }

    /** A process is gone: so is what was its own. */
    void ended(int slot, long pid) {
        Path scratch = scratch(folder, slot, pid);
        if (!Files.isDirectory(scratch)) {
            return;
        }
        try (Stream<Path> all = Files.walk(scratch)) {
            for (Path p : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(p);
            }
        } catch (IOException | UncheckedIOException _) {
            // nobody reads it any more; the next start of the server tries again
        }
    }

    /** What a process has for itself alone. */
    static Path scratch(Path folder, int slot, long pid) {
        return folder.resolve(Integer.toString(slot)).resolve("process-" + pid);
    }

    /** Starts the process of a slot: what it prints of its start goes to its log only, what goes wrong is seen here. */
    Process start(int slot, int processes) throws IOException {
        PrivateFiles.folder(folder.resolve(Integer.toString(slot)));
        List<String> own = List.of(
                "--process=" + slot,
                "--processes=" + processes,
                "--link=" + link(),
                "--sockets=" + String.join(",", listeners));
        return new ProcessBuilder(words.command(config, own))
                .redirectInput(new File("/dev/null"))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
