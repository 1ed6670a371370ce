package io.weir.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.ConfigBinder;
import io.weir.base.ConfigNode;
import io.weir.base.Live;
import io.weir.base.LogMessage;
import io.weir.base.Severity;
import io.weir.base.Stats;
import io.weir.base.SteppedClock;
import io.weir.server.catalogue.ServerStats;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ServerLogTest {
    private record Said(int id, Severity severity, String subsystem, String text) implements LogMessage {}

    private static final LogMessage NOTE = new Said(7, Severity.NOTICE, "Server", "Note {} of {}.");
    private static final LogMessage WARN = new Said(8, Severity.WARNING, "Socket", "Cause {}: {}");
    private static final LogMessage FINE = new Said(9, Severity.FINE, "Socket", "Fine {}.");

    private final SteppedClock clock = new SteppedClock(1_700_000_000_000L);
    private final Stats stats = new Stats();
    private final ByteArrayOutputStream stdout = new ByteArrayOutputStream();

    @TempDir
    private Path dir = Path.of("");

    private final Live<LogConfig> config = new Live<>(ConfigBinder.defaults(LogConfig.class));
    private ServerLog log = open(stdout);

    private ServerLog open(OutputStream out) {
        log = new ServerLog(config, dir, clock, stats, new PrintStream(out, true, StandardCharsets.UTF_8));
        return log;
    }

    private void configure(String... pairs) {
        ConfigNode.Mapping tree = ConfigNode.Mapping.empty(ConfigNode.Place.of("test"));
        for (int i = 0; i < pairs.length; i += 2) {
            ConfigNode value = new ConfigNode.Scalar(ConfigNode.Place.of("test"), pairs[i + 1]);
            tree = tree.with(
                    pairs[i], pairs[i].equals("levels") ? new ConfigNode.Sequence(value.at(), List.of(value)) : value);
        }
        ConfigBinder binder = new ConfigBinder();
        config.set(binder.bind(tree, LogConfig.class));
        assertThat(binder.problems()).isEmpty();
    }

    private ServerLog reopen() {
        log.close();
        return open(stdout);
    }

    private List<String> file() throws IOException {
        log.flush();
        Path file = dir.resolve("logs/server.log");
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    @Test
    void aDurationIsToldAsPeopleSayIt() throws Exception {
        reopen().log(NOTE, Duration.ofMillis(9515), Duration.ofMillis(80));
        assertThat(file().getLast()).endsWith("<Note 9.5 s of 80 ms.>");
    }

    @AfterEach
    void close() {
        log.close();
    }

    @Test
    void fileThatAnotherProcessWritesTooIsNotRotated() throws IOException {
        configure("rotate-size", "64KiB", "repeat-interval", "0s");
        reopen().beside(true);
        for (int i = 0; i < 1200; i++) {
            log.log(NOTE, i, "a sentence of some length, so that there are not too many of them");
            log.flush();
        }
        assertThat(file()).hasSize(1200);
        assertThat(dir.resolve("logs/server.log.1")).doesNotExist();
        log.beside(false);
        log.log(NOTE, 51, 51);
        assertThat(file()).hasSize(1);
        assertThat(Files.readAllLines(dir.resolve("logs/server.log.1"))).hasSize(1200);
    }

    @Test
    void lineHasDateSeveritySubsystemIdAndText() throws IOException {
        reopen().log(NOTE, 1, 2);
        assertThat(file())
                .singleElement()
                .asString()
                .matches(
                        "<2023-11-1\\dT\\d\\d:\\d\\d:20\\.000(Z|[+-]\\d\\d:\\d\\d)> <Notice> <Server> <WEIR-000007> <Note 1 of 2\\.>");
    }

    @Test
    void noticesReachStandardOutputPlainAndInfosDoNot() {
        ServerLog l = reopen();
        l.log(NOTE, 1, 2);
        l.log(WARN, "x", "y");
        l.log(new Said(10, Severity.INFO, "Server", "quiet"));
        l.flush();
        assertThat(stdout.toString(StandardCharsets.UTF_8))
                .isEqualTo("Note 1 of 2.\nWarning WEIR-000008 (Socket): Cause x: y\n");
    }

    @Test
    void levelsOfSubsystemsChangeLive() throws IOException {
        ServerLog l = reopen();
        assertThat(l.wants(FINE)).isFalse();
        l.log(FINE, 1);
        configure("levels", "Socket=fine");
        assertThat(l.wants(FINE)).isTrue();
        l.log(FINE, 2);
        configure("levels", "Socket=error");
        l.log(FINE, 3);
        l.log(WARN, "gone", "");
        assertThat(file()).singleElement().asString().contains("<Fine 2.>");
    }

    @Test
    void eachCauseIsLoggedOncePerIntervalWithACount() throws IOException {
        ServerLog l = reopen();
        for (int i = 0; i < 100; i++) {
            l.log(WARN, "disk", i);
            l.log(WARN, "net", i);
        }
        assertThat(file()).hasSize(2);
        assertThat(stats.value(ServerStats.LOG_SUPPRESSED)).isEqualTo(198);
        clock.step(Duration.ofSeconds(30));
        l.flush();
        l.log(WARN, "disk", "again");
        l.close();
        assertThat(file())
                .anySatisfy(s -> assertThat(s).contains("The message WEIR-000008 was repeated 99 times in 30s: disk"))
                .anySatisfy(s -> assertThat(s).contains("The message WEIR-000008 was repeated 99 times in 30s: net"));
    }

    @Test
    void repeatIntervalOfZeroWritesEach() throws IOException {
        configure("repeat-interval", "0s");
        ServerLog l = reopen();
        l.log(WARN, "disk", 1);
        l.log(WARN, "disk", 2);
        assertThat(file()).hasSize(2);
    }

    @Test
    void noticesAreNotLimited() throws IOException {
        ServerLog l = reopen();
        l.log(NOTE, 1, 1);
        l.log(NOTE, 1, 1);
        assertThat(file()).hasSize(2);
    }

    @Test
    void strangersTextCannotForgeLines() throws IOException {
        reopen().log(WARN, "x>\n<Notice> <Server>", "\u001b[31m");
        assertThat(file())
                .singleElement()
                .asString()
                .contains("x>\\u000a<Notice>")
                .contains("\\u001b[31m");
    }

    @Test
    void throwableIsNamedWithItsMessage() throws IOException {
        reopen().log(NOTE, 1, 2, new IOException("no space"));
        assertThat(file()).singleElement().asString().contains("Note 1 of 2.: java.io.IOException: no space");
    }

    @Test
    void fileIsRotatedAndBounded() throws IOException {
        configure("rotate-size", "64KiB", "keep", "2");
        ServerLog l = reopen();
        for (int i = 0; i < 400; i++) {
            l.log(NOTE, i, "x".repeat(1000));
            if (i % 50 == 0) {
                l.flush();
            }
        }
        l.close();
        try (var files = Files.list(dir.resolve("logs"))) {
            assertThat(files)
                    .extracting(p -> p.getFileName().toString())
                    .containsExactlyInAnyOrder("server.log", "server.log.1", "server.log.2");
        }
        assertThat(stats.value(ServerStats.LOG_ROTATIONS)).isGreaterThan(4);
        assertThat(Files.size(dir.resolve("logs/server.log.1"))).isLessThanOrEqualTo(65_536);
    }

    @Test
    void fullQueueDropsAndCountsInsteadOfBlocking() throws Exception {
        configure("queue", "16");
        log.close();
        CountDownLatch stuck = new CountDownLatch(1);
        CountDownLatch entered = new CountDownLatch(1);
        ServerLog l = open(new OutputStream() {
            @Override
            public void write(int b) {
                entered.countDown();
                try {
                    assertThat(stuck.await(3, TimeUnit.MINUTES)).isTrue();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        });
        l.log(NOTE, 0, 0);
        assertThat(entered.await(3, TimeUnit.MINUTES)).isTrue();
        for (int i = 0; i < 40; i++) {
            l.log(NOTE, 1, i);
        }
        assertThat(stats.value(ServerStats.LOG_DROPPED)).isEqualTo(24);
        stuck.countDown();
        l.close();
        assertThat(file()).anySatisfy(s -> assertThat(s).contains("24 messages were dropped because 16 waited"));
    }

    @Test
    void unwritableFileIsToldOnceOnStandardOutput() throws IOException {
        log.close();
        Files.writeString(dir.resolve("logs"), "in the way");
        ServerLog l = open(stdout);
        l.log(NOTE, 1, 1);
        l.log(NOTE, 2, 2);
        l.flush();
        assertThat(stdout.toString(StandardCharsets.UTF_8))
                .containsOnlyOnce("cannot be written")
                .contains("Note 1 of 1.")
                .contains("Note 2 of 2.");
    }

    @Test
    void nettyWarningsArriveAndItsDebugDoesNot() throws IOException {
        ServerLog l = reopen();
        var netty = new NettyLogging(l).newInstance("io.netty.util.ResourceLeakDetector");
        netty.error("LEAK: {} was not released{}", "buffer", ".");
        netty.warn("odd: {}", "thing", new IOException("why"));
        netty.debug("never {}", 1);
        netty.log(io.netty.util.internal.logging.InternalLogLevel.ERROR, "level {}", 5);
        assertThat(netty.isDebugEnabled()).isFalse();
        assertThat(netty.isWarnEnabled()).isTrue();
        assertThat(file()).hasSize(3);
        assertThat(file().get(0))
                .contains("<Error> <Netty>")
                .contains("ResourceLeakDetector: LEAK: buffer was not released.");
        assertThat(file().get(1)).contains("<Warning> <Netty>").contains("odd: thing: java.io.IOException: why");
        assertThat(file().get(2)).contains("level 5");
    }

    @Test
    void manyCausesShareAnEntryBeyondTheBound() {
        Repeats repeats = new Repeats();
        for (int i = 0; i < Repeats.MAX_CAUSES; i++) {
            assertThat(repeats.admit(WARN, 0, 9, i)).isZero();
        }
        assertThat(repeats.admit(WARN, 0, 9, "one more")).isZero();
        assertThat(repeats.admit(WARN, 0, 9, "and another")).isEqualTo(Repeats.SUPPRESS);
    }
}
