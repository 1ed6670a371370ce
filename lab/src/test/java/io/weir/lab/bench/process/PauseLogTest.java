package io.weir.lab.bench.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the JVM says of its collections and pauses, in its own lines. */
final class PauseLogTest {
    private static final String SERIAL = """
            Using Serial
            GC(0) Pause Young (Allocation Failure) 34M->3M(123M) 4.100ms
            Safepoint "SerialCollectForAllocation", Time since last: 2395898 ns, Reaching safepoint: 2694 ns, At safepoint: 4129360 ns, Leaving safepoint: 1131 ns, Total: 4133185 ns, Threads: 0 runnable, 10 total
            Safepoint "ICBufferFull", Time since last: 2395898 ns, Reaching safepoint: 2694 ns, At safepoint: 129360 ns, Leaving safepoint: 1131 ns, Total: 5500000 ns, Threads: 0 runnable, 10 total
            GC(1) Pause Full (System.gc()) 15M->11M(123M) 14.436ms
            Safepoint "SerialGCCollect", Time since last: 2395898 ns, Reaching safepoint: 2694 ns, At safepoint: 14129360 ns, Leaving safepoint: 1131 ns, Total: 14500000 ns, Threads: 0 runnable, 10 total
            """;

    private static final String Z = """
            Using The Z Garbage Collector
            GC(0) Minor Collection (Allocation Rate)
            Safepoint "ZMarkStartYoung", Time since last: 1048122854 ns, Reaching safepoint: 162522 ns, At safepoint: 19419 ns, Leaving safepoint: 1557590 ns, Total: 1500000 ns, Threads: 1 runnable, 10 total
            Allocation Stall (ExecuteThread: '0' for queue: 'weir.socket.Muxer (epoll)') 12.250ms
            Relocation Stall (main) 1.250ms
            Safepoint "CleanClassLoaderDataMetaspaces", Time since last: 1 ns, Reaching safepoint: 2 ns, At safepoint: 3 ns, Leaving safepoint: 4 ns, Total: 2000000 ns, Threads: 1 runnable, 10 total
            Safepoint "ZRelocateStartYoung", Time since last: 1 ns, Reaching safepoint: 2 ns, At safepoint: 3 ns, Leaving safepoint: 4 ns, Total: 500000 ns, Threads: 1 runnable, 10 total
            GC(0) Minor Collection (Allocation Rate) 14M(11%)->12M(9%) 0.038s
            GC(1) Major Collection (System.gc())
            """;

    @TempDir
    private Path folder;

    @Test
    void pausesOfSerialAreItsCollections() {
        assertThat(PauseLog.parse(SERIAL)).isEqualTo(new PauseLog.Pauses(2, 2, 14.5, 18.633185, 5.5, 0, 0));
    }

    @Test
    void collectionOfZCountsAtItsEndAndHasSeveralPauses() {
        assertThat(PauseLog.parse(Z)).isEqualTo(new PauseLog.Pauses(1, 2, 1.5, 2.0, 2.0, 2, 12.25));
    }

    @Test
    void logIsReadPieceByPieceInWholeLines() throws IOException {
        Path file = Files.writeString(folder.resolve("log"), SERIAL);
        PauseLog log = new PauseLog(file);
        assertThat(log.since().collections()).isEqualTo(2);
        assertThat(log.since()).isEqualTo(PauseLog.NONE);
        Files.writeString(file, "GC(2) Pause Young (Allocation Fai", StandardOpenOption.APPEND);
        assertThat(log.since()).isEqualTo(PauseLog.NONE);
        Files.writeString(file, "lure) 34M->3M(123M) 4.100ms\n", StandardOpenOption.APPEND);
        assertThat(log.since().collections()).isOne();
    }

    @Test
    void logThatIsNotWrittenIsAFailure() {
        assertThatThrownBy(() -> new PauseLog(folder.resolve("none")).since()).isInstanceOf(IOException.class);
    }

    @Test
    void serverWithAnotherCollectorHasOneAndOneHeap() {
        WeirServer.Build build = new WeirServer.Build(
                "/weir-server-2.jar",
                List.of("-Xms64m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:AOTCache=/a", "-Da=-Xmx"));
        assertThat(build.collecting("-XX:+UseZGC", "4096m", Path.of("/log")).options())
                .containsExactly(
                        "-Xms64m",
                        "-Da=-Xmx",
                        "-XX:+UseZGC",
                        "-Xmx4096m",
                        "-Xlog:gc,safepoint:file=/log:none:filecount=0");
    }
}
