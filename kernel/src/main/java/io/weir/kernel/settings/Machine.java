package io.weir.kernel.settings;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The machine's resources, from which defaults are derived. Immutable.
 *
 * @param descriptors maximum of files and sockets that the process may open
 * @param processors processors available to the process
 */
public record Machine(long descriptors, int processors) {
    private static final long UNKNOWN = 1024;
    private static final Pattern WORDS = Pattern.compile("Max open files\\s+(\\S+).*");

    public static Machine current() {
        return new Machine(limit(), Runtime.getRuntime().availableProcessors());
    }

    /** Reads /proc first, which avoids loading the management classes at start. */
    private static long limit() {
        Path limits = Path.of("/proc/self/limits");
        try {
            if (Files.isReadable(limits)) {
                for (String line : Files.readAllLines(limits)) {
                    if (line.startsWith("Max open files")) {
                        return Long.parseLong(WORDS.matcher(line).replaceFirst("$1"));
                    }
                }
            }
        } catch (IOException | NumberFormatException e) {
            return fromManagement();
        }
        return fromManagement();
    }

    private static long fromManagement() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount()
                : UNKNOWN;
    }
}
