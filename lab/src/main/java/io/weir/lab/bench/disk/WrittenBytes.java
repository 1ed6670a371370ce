package io.weir.lab.bench.disk;

import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.BenchProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The system's account of a server's input and output, {@code /proc/PID/io} (proc(5)), descendants included. Stateless. */
final class WrittenBytes {
    private WrittenBytes() {}

    /** Bytes that it caused to be written to disks: pages that it made dirty, by whatever system call or mapping. */
    static long toDisk(long root) throws IOException, BenchFailure {
        return sum(root, "write_bytes");
    }

    /** Bytes that its system calls wrote, to files and sockets. */
    static long byCalls(long root) throws IOException, BenchFailure {
        return sum(root, "wchar");
    }

    private static long sum(long root, String name) throws IOException, BenchFailure {
        long bytes = 0;
        for (long pid : BenchProcesses.family(root).keySet()) {
            try {
                bytes += value(Files.readString(Path.of("/proc", Long.toString(pid), "io")), name);
            } catch (NoSuchFileException _) {
                // it has ended since: its bytes are lost, as its processor time is
            } catch (IOException e) {
                throw new BenchFailure(
                        "the bytes that process " + pid + " wrote cannot be read; run it as root: " + e.getMessage(),
                        e);
            }
        }
        return bytes;
    }

    /** A line of the file. */
    static long value(String text, String name) throws BenchFailure {
        for (String line : text.lines().toList()) {
            if (line.startsWith(name + ": ")) {
                return Long.parseLong(line.substring(name.length() + 2).strip());
            }
        }
        throw new BenchFailure("no " + name + " in " + text);
    }
}
