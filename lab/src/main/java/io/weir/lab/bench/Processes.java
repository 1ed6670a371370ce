package io.weir.lab.bench;

import io.weir.lab.load.ProcessFacts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What the kernel accounts to processes now. Stateless. */
final class Processes {
    private static final Path PROC = Path.of("/proc");

    private Processes() {}

    /** Processor time of a process and its descendants, by process id. */
    static Map<Long, Long> family(long root) throws IOException {
        return ProcessStat.family(root, all());
    }

    /** Resident bytes of a process and its descendants; pages that they share count for each. */
    static long residentBytes(long root) throws IOException {
        long bytes = 0;
        for (long pid : family(root).keySet()) {
            bytes += ProcessFacts.residentBytes(pid);
        }
        return bytes;
    }

    private static List<ProcessStat> all() throws IOException {
        List<Path> folders;
        try (Stream<Path> entries = Files.list(PROC)) {
            folders = entries.filter(p -> p.getFileName().toString().matches("\\d+"))
                    .toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        List<ProcessStat> stats = new ArrayList<>();
        for (Path folder : folders) {
            if (Files.exists(folder.resolve("stat"))) {
                read(folder, stats);
            }
        }
        return stats;
    }

    private static void read(Path folder, List<ProcessStat> into) throws IOException {
        try {
            into.add(ProcessStat.parse(Files.readString(folder.resolve("stat"))));
        } catch (IOException e) {
            // A process that ended since the folder was listed takes no time any more.
            if (Files.exists(folder)) {
                throw e;
            }
        }
    }
}
