package io.weir.lab.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.house.House;
import io.weir.lab.process.Servers;
import io.weir.lab.scenario.ProcessLauncher;
import io.weir.samples.scheduler.ReportReceiver;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code samples/scheduler}: a timer of one server sends messages to a program in another JVM. */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("slow")
class SchedulerSampleTest {
    private static final int PATIENCE_MILLIS = 60_000;

    @TempDir
    Path folder = Path.of("");

    private ProcessLauncher.Running start() throws Exception {
        return Servers.launcher()
                .start(
                        House.root().resolve("samples/scheduler/weir.yaml"),
                        folder.resolve("server1"),
                        List.of("listeners.messaging.port=0", "admin.port=0", "timers.report.schedule=every 1s"));
    }

    @Test
    void reportsArriveOncePerOccasion() throws Exception {
        try (ProcessLauncher.Running server = start();
                Jvm receiver = Jvm.start(
                        folder, ReportReceiver.class, "weir://127.0.0.1:" + server.port("messaging"), "reports")) {
            assertThat(Servers.within(PATIENCE_MILLIS, () -> receiver.printed().size() >= 3))
                    .as("three reports: %s", receiver.printed())
                    .isTrue();
            List<String> three = receiver.printed().subList(0, 3);
            assertThat(three)
                    .allSatisfy(line -> assertThat(line).startsWith("write the report (report of "))
                    .doesNotHaveDuplicates();
        }
    }
}
