package io.weir.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Signals to other processes. Stateless. */
public final class Signals {
    private static final Path PROCESSES = Path.of("/proc");
    private static final long PATIENCE_MILLIS = TimeUnit.MINUTES.toMillis(3);

    private Signals() {}

    /**
     * Sends a signal. After STOP none of the process's threads runs any more: the system tells one of them at once, which
     * on a busy machine may be some milliseconds before the others are stopped.
     *
     * @param name such as STOP
     */
    public static void send(String name, long pid) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                        .start()
                        .waitFor())
                .as(name + " to " + pid)
                .isZero();
        if (name.equals("STOP")) {
            assertThat(Servers.within(PATIENCE_MILLIS, () -> stopped(pid))).isTrue();
        }
    }

    private static boolean stopped(long pid) throws IOException {
        try (Stream<Path> threads =
                Files.list(PROCESSES.resolve(Long.toString(pid)).resolve("task"))) {
            for (Path thread : threads.toList()) {
                String state = Files.readString(thread.resolve("stat"));
                // the name before it may contain anything
                if (!state.substring(state.lastIndexOf(')') + 1).strip().startsWith("T")) {
                    return false;
                }
            }
        } catch (NoSuchFileException _) {
            // it, or a thread of it, has ended
            return !Files.exists(PROCESSES.resolve(Long.toString(pid)));
        }
        return true;
    }
}
