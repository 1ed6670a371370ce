package io.weir.lab.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Data of the operating system and the JDK's tools about a process. Stateless. */
public final class ProcessFacts {
    private ProcessFacts() {}

    /** Resident set in bytes. */
    public static long residentBytes(long pid) throws IOException {
        return Files.readString(Path.of("/proc", String.valueOf(pid), "status"))
                .lines()
                .filter(l -> l.startsWith("VmRSS:"))
                .mapToLong(l -> Long.parseLong(l.replaceAll("\\D", "")) * 1024)
                .findFirst()
                .orElseThrow();
    }

    /** Open descriptors. */
    public static long descriptors(long pid) throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc", String.valueOf(pid), "fd"))) {
            return open.count();
        }
    }

    /** Output of {@code jcmd PID COMMAND}. */
    public static String jcmd(long pid, String command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        String.valueOf(pid),
                        command)
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(300, TimeUnit.SECONDS)) {
            throw new IOException("jcmd does not end");
        }
        return said;
    }
}
