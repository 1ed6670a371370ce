package io.weir.kernel.settings;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * What defaults are derived from. Immutable.
 *
 * @param descriptors files and sockets that the process may open
 * @param processors processors that it may use
 */
public record Machine(long descriptors, int processors) {
    private static final long UNKNOWN = 1024;
    private static final Pattern WORDS = Pattern.compile("Max open files\\s+(\\S+).*");

    public static Machine current() {
        return new Machine(limit(), Runtime.getRuntime().availableProcessors());
    }

    /** The file under /proc spares the start the loading of the management classes. */
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
