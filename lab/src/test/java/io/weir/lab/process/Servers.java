package io.weir.lab.process;

import io.weir.base.SystemClock;
import io.weir.lab.scenario.ProcessLauncher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Starts server processes from the tests' own class path, with paranoid leak detection. Stateless. */
public final class Servers {
    private static final List<String> OPTIONS = List.of(
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xshare:auto",
            "-Xmx256m",
            "-Dio.netty.leakDetection.level=paranoid",
            "-Dio.netty.leakDetection.targetRecords=30");

    private Servers() {}

    public static ProcessLauncher launcher() {
        return new ProcessLauncher(
                System.getProperty("java.class.path"), "io.weir.server.cli.Main", OPTIONS, SystemClock.INSTANCE);
    }

    /** A configuration file with one HTTP listener and one reverse route. */
    static Path reverse(Path folder, int originPort, String more) throws IOException {
        return Files.writeString(folder.resolve("weir.yaml"), """
                listeners:
                  http: {address: 127.0.0.1, port: 0}
                admin: {port: 0}
                proxy:
                  routes:
                    - path: /
                      origins: ["http://127.0.0.1:%d"]
                """.formatted(originPort) + more);
    }

    /** Something that becomes true. */
    interface Condition {
        boolean holds() throws Exception;
    }

    /** Polls until the condition holds; false when it does not within so many milliseconds. */
    static boolean within(long millis, Condition condition) throws Exception {
        long deadline = SystemClock.INSTANCE.nanos() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (!condition.holds()) {
            if (SystemClock.INSTANCE.nanos() - deadline > 0) {
                return false;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
        return true;
    }
}
