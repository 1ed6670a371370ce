package io.weir.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.buffer.ByteBufUtil;
import io.weir.base.SystemClock;
import io.weir.lab.functions.FunctionJar;
import io.weir.lab.house.House;
import io.weir.lab.process.Servers;
import io.weir.lab.samples.ReportsJar;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Plays every scenario file against the whole server; {@code -Dscenario=REGEX} selects some. Buffers that any of them
 * leaks fail the run at its end.
 */
@Tag("slow")
class ScenariosTest {
    private static final int PATIENCE_MILLIS = Integer.getInteger("scenario.patience", 30_000);
    private static final boolean PENDING = Boolean.getBoolean("scenario.pending");
    private static final Queue<String> LEAKS = new ConcurrentLinkedQueue<>();

    @TempDir
    static Path work = Path.of("");

    @BeforeAll
    static void listenForLeaks() {
        ByteBufUtil.setLeakListener((type, records) -> LEAKS.add(type + ": " + records));
    }

    @AfterAll
    static void nothingLeaked() {
        for (int i = 0; i < 3; i++) {
            System.gc();
            // leaks are reported when the next buffer is allocated
            io.netty.buffer.ByteBufAllocator.DEFAULT.buffer(16).release();
        }
        assertThat(LEAKS).as("leaked buffers").isEmpty();
    }

    @TestFactory
    List<DynamicTest> scenarios() {
        Path root = House.root().resolve("scenarios");
        Pattern selected = Pattern.compile(System.getProperty("scenario", ""));
        Path functions = FunctionJar.write(work.resolve("functions.jar"));
        Path busy = FunctionJar.writeBusy(work.resolve("busy.jar"));
        Path reports = ReportsJar.write(work);
        ScenarioRunner inProcess = new ScenarioRunner(new InProcess(), work, SystemClock.INSTANCE, PATIENCE_MILLIS)
                .withPlace("functions", functions)
                .withPlace("busy", busy)
                .withPlace("reports", reports);
        ScenarioRunner process = new ScenarioRunner(Servers.launcher(), work, SystemClock.INSTANCE, 2 * PATIENCE_MILLIS)
                .withPlace("functions", functions)
                .withPlace("busy", busy);
        return ScenarioRunner.files(root).stream()
                .map(f -> ScenarioParser.parse(root, f))
                .filter(s -> selected.matcher(s.name()).find())
                .filter(s -> !s.tags().contains("nightly"))
                .map(s -> DynamicTest.dynamicTest(s.name(), () -> {
                    assumeTrue(PENDING || !s.tags().contains("pending"), "pending: the server does not do this yet");
                    (s.tags().contains("process") ? process : inProcess).run(s);
                }))
                .toList();
    }
}
