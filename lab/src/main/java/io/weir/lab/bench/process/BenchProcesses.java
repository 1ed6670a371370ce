package io.weir.lab.bench.process;

import io.weir.lab.load.ProcessFacts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The kernel's current accounting of processes. Stateless. */
public final class BenchProcesses {
    private static final Path PROC = Path.of("/proc");

    /** Part of the names of a JVM's compiler threads, which the kernel truncates to fifteen letters. */
    private static final String COMPILER = "CompilerThre";

    private BenchProcesses() {}

    /** Processor time of a process and its descendants, by process id. */
    public static Map<Long, Long> family(long root) throws IOException {
        return ProcessStat.family(root, all());
    }

    /**
     * Processor time of the compiler's threads of a JVM, microseconds; without threads that have ended in the meantime.
     */
    public static double compilerMicros(long pid) throws IOException {
        long ticks = 0;
        Path threads = PROC.resolve(Long.toString(pid)).resolve("task");
        try (Stream<Path> all = Files.list(threads)) {
            for (Path thread : all.toList()) {
                ticks += compilerTicks(thread);
            }
        }
        return ticks * 1e6 / ProcessStat.TICKS_PER_SECOND;
    }

    private static long compilerTicks(Path thread) throws IOException {
        try {
            String line = Files.readString(thread.resolve("stat"));
            return line.contains(COMPILER) ? ProcessStat.parse(line).ticks() : 0;
        } catch (IOException e) {
            if (Files.exists(thread)) {
                throw e;
            }
            return 0;
        }
    }

    /** Resident bytes of a process and its descendants; pages that they share count for each. */
    public static long residentBytes(long root) throws IOException {
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
            // a process that has ended since the folder was listed uses no more time
            if (Files.exists(folder)) {
                throw e;
            }
        }
    }
}
