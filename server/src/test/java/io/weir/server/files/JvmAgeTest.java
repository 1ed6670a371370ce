package io.weir.server.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** The age of a JVM that a shell became. */
class JvmAgeTest {
    private static final long BUILDING = 500;

    /** A program that prints how old its JVM and its process are. */
    static final class Age {
        private Age() {}

        public static void main(String[] arguments) throws IOException {
            long jvm = Processes.jvmAgeMillis();
            System.out.println(jvm + " " + age(ProcessHandle.current().pid()));
        }
    }

    private static long age(long pid) throws IOException {
        String uptime = Files.readString(Path.of("/proc/uptime"));
        double now = Double.parseDouble(uptime.substring(0, uptime.indexOf(' ')));
        return Math.round(now * 1000) - 10 * Processes.startTicks(pid);
    }

    @Test
    void whatAShellDidBeforeItBecameTheJvmIsNotItsAge() throws Exception {
        Process shell = new ProcessBuilder(
                        "sh",
                        "-c",
                        "read go; exec \"$0\" -cp \"$1\" '" + Age.class.getName() + "'",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        System.getProperty("java.class.path"))
                .redirectErrorStream(true)
                .start();
        while (age(shell.pid()) < BUILDING) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
        shell.getOutputStream().write('\n');
        shell.getOutputStream().close();
        String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(said).matches("\\d+ \\d+\\s+");
        String[] ages = said.strip().split(" ", -1);
        long jvm = Long.parseLong(ages[0]);
        long process = Long.parseLong(ages[1]);
        // both to a hundredth of a second
        assertThat(process - jvm).isGreaterThanOrEqualTo(BUILDING - 20);
        assertThat(jvm).isPositive();
    }
}
