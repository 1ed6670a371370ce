package io.weir.server.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The system's data about a process, so that a reused process id is never taken for a server. Stateless. */
public final class Processes {
    private Processes() {}

    /** When a process started, in clock ticks since the machine's start; -1 if it is unknown or has ended. */
    public static long startTicks(long pid) {
        try {
            String stat = new String(
                    Files.readAllBytes(Path.of("/proc", Long.toString(pid), "stat")), StandardCharsets.ISO_8859_1);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return Long.parseLong(fields[19]);
        } catch (IOException | RuntimeException e) {
            return -1;
        }
    }

    /** How long this process has been running, in milliseconds, to a hundredth of a second; -1 if unknown. */
    public static long ageMillis() {
        long ticks = startTicks(ProcessHandle.current().pid());
        try {
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
