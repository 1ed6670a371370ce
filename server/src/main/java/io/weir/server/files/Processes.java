package io.weir.server.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The system's data about a process, so that a reused process id is never taken for a server. Stateless. */
public final class Processes {
    private Processes() {}

    /** When a process started, in clock ticks since the machine's start; -1 if it is unknown or has ended. */
    public static long startTicks(long pid) {
        return startTicks(Path.of("/proc", Long.toString(pid), "stat"));
    }

    private static long startTicks(Path stat) {
        try {
            String text = new String(Files.readAllBytes(stat), StandardCharsets.ISO_8859_1);
            String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
            return Long.parseLong(fields[19]);
        } catch (IOException | RuntimeException e) {
            return -1;
        }
    }

    /**
     * How long the JVM of this process has been running, in milliseconds, to a hundredth of a second; -1 if unknown. The
     * process can be older: {@code ./weir} may build for a while before it becomes the JVM. The JVM's oldest thread but
     * the process's first one starts with it.
     */
    public static long jvmAgeMillis() {
        String pid = Long.toString(ProcessHandle.current().pid());
        try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            long ticks = threads.filter(t -> !t.getFileName().toString().equals(pid))
                    .mapToLong(t -> startTicks(t.resolve("stat")))
                    .filter(t -> t >= 0)
                    .min()
                    .orElse(-1);
            String uptime = Files.readString(Path.of("/proc/uptime"));
            double now = Double.parseDouble(uptime.substring(0, uptime.indexOf(' ')));
            return ticks < 0 ? -1 : Math.max(0, Math.round(now * 1000) - ticks * 10);
        } catch (IOException | RuntimeException e) {
            return -1;
        }
    }

    /** Whether the process of that id lives and is the one that started then; without /proc the id alone decides. */
    public static boolean isSame(long pid, long ticks) {
        boolean alive = ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
        return alive && (ticks < 0 || startTicks(pid) == ticks);
    }
}
