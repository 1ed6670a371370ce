package io.weir.lab.bench.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.weir.lab.bench.figures.Findings;
import io.weir.lab.bench.figures.Preflight;
import io.weir.lab.bench.figures.Series;
import io.weir.lab.bench.figures.Table;
import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.BenchProcesses;
import io.weir.lab.bench.process.Contender;
import io.weir.lab.bench.process.PeerProgram;
import io.weir.lab.bench.process.Tools;
import io.weir.lab.bench.process.WeirServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is read from programs and the kernel, and what is printed. */
class ReadingsTest {
    private static final String WRK = """
            Running 3s test @ http://127.0.0.1:19001/o
              1 threads and 32 connections
              Thread Stats   Avg      Stdev     Max   +/- Stdev
                Latency   447.92us  116.33us   4.69ms   95.07%
                Req/Sec    71.05k     4.15k   75.90k    86.67%
              212103 requests in 3.01s, 247.36MB read
            Requests/sec:  70465.78
            Transfer/sec:     82.18MB
            """;

    @Test
    void wrkCountsRequestsAndSeconds() throws BenchFailure {
        assertThat(Wrk.parse(WRK)).isEqualTo(new Counts(212_103, 3.01, 0, 0));
        assertThat(Wrk.parse("5 requests in 1.50m, 0B read").seconds()).isEqualTo(90);
    }

    @Test
    void wrkCountsErrors() throws BenchFailure {
        String more =
                WRK + "  Socket errors: connect 1, read 20, write 300, timeout 4000\n  Non-2xx or 3xx responses: 17\n";
        assertThat(Wrk.parse(more)).isEqualTo(new Counts(212_103, 3.01, 4321, 17));
    }

    @Test
    void wrkThatSaysNothingIsAFailure() {
        assertThatExceptionOfType(BenchFailure.class)
                .isThrownBy(() -> Wrk.parse("unable to connect to 127.0.0.1:1 Connection refused"))
                .withMessageContaining("refused");
    }

    @Test
    void wrkRunsWithOneThreadAnd32ConnectionsOnItsProcessor() {
        Contender contender = Contender.of("x", 1, 1, "/o", false);
        assertThat(Wrk.command("taskset", "wrk", 1, 3, contender, List.of("-H", "Range: bytes=1-2")))
                .containsExactly(
                        "taskset",
                        "-c",
                        "1",
                        "wrk",
                        "-t1",
                        "-c32",
                        "-d3s",
                        "-H",
                        "Range: bytes=1-2",
                        "http://127.0.0.1:1/o");
        assertThat(Wrk.command("taskset", "wrk", 1, 3, contender.secure().closing("y"), List.of()))
                .containsSubsequence("-H", "Connection: close", "https://127.0.0.1:1/o");
    }

    private static final String H2LOAD = """
            starting benchmark...
            spawning thread #0: 8 total client(s). 100000 total requests
            TLS Protocol: TLSv1.3
            Cipher: TLS_AES_256_GCM_SHA384
            Server Temp Key: X25519 253 bits
            Application protocol: h2
            progress: 100% done

            finished in 850.50ms, 117578.65 req/s, 116.18MB/s
            requests: 100000 total, 100000 started, 100000 done, 100000 succeeded, 0 failed, 0 errored, 0 timeout
            status codes: 100000 2xx, 0 3xx, 0 4xx, 0 5xx
            traffic: 98.81MB (103607336) total, 1.15MB (1207048) headers (space savings 94.26%), 97.66MB (102400000) data
            """;

    @Test
    void h2loadCountsRequestsAndSeconds() throws BenchFailure {
        assertThat(H2load.parse(H2LOAD, "h2")).isEqualTo(new Counts(100_000, 0.8505, 0, 0));
        assertThat(H2load.parse(H2LOAD.replace("850.50ms", "2.50s"), "h2").seconds())
                .isEqualTo(2.5);
    }

    @Test
    void h2loadTellsErrorAnswersFromBrokenRequests() throws BenchFailure {
        String failed = H2LOAD.replace(
                        "100000 succeeded, 0 failed, 0 errored, 0 timeout",
                        "99000 succeeded, 1000 failed, 300 errored, 100 timeout")
                .replace("100000 2xx, 0 3xx, 0 4xx, 0 5xx", "98000 2xx, 1000 3xx, 400 4xx, 300 5xx");
        assertThat(H2load.parse(failed, "h2")).isEqualTo(new Counts(99_000, 0.8505, 300, 700));
    }

    @Test
    void h2loadThatSaysNothingOrSpeaksOtherwiseIsAFailure() {
        assertThatExceptionOfType(BenchFailure.class)
                .isThrownBy(() -> H2load.parse("client could not connect to host", "h2"))
                .withMessageContaining("could not connect");
        assertThatExceptionOfType(BenchFailure.class)
                .isThrownBy(() -> H2load.parse(H2LOAD.replace("protocol: h2", "protocol: http/1.1"), "h2"))
                .withMessageContaining("http/1.1 instead of h2");
        assertThatExceptionOfType(BenchFailure.class)
                .isThrownBy(() -> H2load.parse(H2LOAD, "http/1.1"))
                .withMessageContaining("h2 instead of http/1.1");
    }

    @Test
    void handshakesOfAllClientsCountTogether() throws BenchFailure {
        String one = """
                Collecting connection statistics for 2 seconds
                ************************

                1200 connections in 0.51s; 2352.94 connections/user sec, bytes read 1440000
                1200 connections in 3 real seconds, 1200 bytes read per connection
                """;
        assertThat(Handshakes.parse(List.of(one, one.replace("1200 c", "800 c")), 1024))
                .isEqualTo(new Counts(2000, 3, 0, 0));
        assertThat(Handshakes.parse(List.of(one), 13 * 1024).refused()).isEqualTo(1200);
        assertThatExceptionOfType(BenchFailure.class)
                .isThrownBy(() -> Handshakes.parse(List.of("connect:errno=111"), 1024))
                .withMessageContaining("errno=111");
    }

    @Test
    void handshakesAreWholeAndOfTls13() {
        assertThat(Handshakes.command("taskset", "openssl", 1, 2, "https://127.0.0.1:4/o"))
                .containsSubsequence("s_time", "-new", "-tls1_3", "-connect", "127.0.0.1:4", "-www")
                .last()
                .isEqualTo("/o HTTP/1.1\r\nHost: 127.0.0.1:4\r\nConnection: close\r\nX-Rest:");
        Contender hits = Contender.of("x", 1, 1, "/o", false).secure();
        assertThat(hits.shakesHands()).isFalse();
        assertThat(hits.closing("y").shakesHands()).isTrue();
    }

    @Test
    void compilerOfThisJvmHasTakenTime() throws Exception {
        assertThat(BenchProcesses.compilerMicros(ProcessHandle.current().pid())).isPositive();
    }

    @Test
    void originsCountIsTheThirdNumber() throws BenchFailure {
        assertThat(Bed.handled("Active connections: 1 \nserver accepts handled requests\n 16 15 31070 \nReading: 0"))
                .isEqualTo(31_070);
        assertThatExceptionOfType(BenchFailure.class).isThrownBy(() -> Bed.handled("404"));
    }

    @Test
    void versionIsTheFirstNumberWithADot() {
        assertThat(Tools.versionIn("nginx version: nginx/1.22.1")).isEqualTo("1.22.1");
        assertThat(Tools.versionIn("HAProxy version 2.6.12-1+deb12u4 2026/10/17"))
                .isEqualTo("2.6.12");
        assertThat(Tools.versionIn("Squid Cache: Version 5.7")).isEqualTo("5.7");
        assertThat(Tools.versionIn("")).isEqualTo("?");
    }

    @Test
    void collectorAndHeapComeFromTheFlags() {
        assertThat(
                        WeirServer.memoryIn(
                                "42:\n-XX:InitialHeapSize=67108864 -XX:MaxHeapSize=536870912 -XX:+UseSerialGC -XX:+UsePerfData"))
                .isEqualTo("SerialGC, heap 64 to 512 MiB");
        assertThat(WeirServer.memoryIn("")).isEqualTo("unknown collector, heap ? to ? MiB");
    }

    @Test
    void usedHeapLeavesTheMetaspaceOut() {
        assertThat(WeirServer.usedIn("""
                42:
                 DefNew     total 19712K, used 10K [0x1, 0x2, 0x3)
                  eden space 17536K,   0% used [0x1, 0x2, 0x3)
                 Tenured    total 43712K, used 5000K [0x1, 0x2, 0x3)
                 Metaspace       used 40000K, committed 41000K, reserved 1114112K
                  class space    used 4000K, committed 4100K, reserved 1048576K
                """)).isEqualTo(5010 * 1024);
    }

    @Test
    void spreadIsBetweenTheOuterDeciles() {
        assertThat(Preflight.spread(new double[] {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}))
                .isZero();
        assertThat(Preflight.spread(new double[] {100, 10, 10, 10, 10, 10, 10, 10, 10, 11, 12, 0}))
                .isEqualTo(0.2);
    }

    @Test
    void idleAndWaitingProcessorsAreNotBusy() {
        assertThat(Preflight.busyAndAll("cpu  10 1 5 70 4 2 3 5 99 99\ncpu0 1 1 1 1"))
                .containsExactly(26, 100);
    }

    @Test
    void loadAverageIsTheFirstNumber() {
        assertThat(Preflight.loadIn("2.88 3.62 4.93 1/210 4242\n")).isEqualTo(2.88);
    }

    @Test
    void quietMachineHasNoReasonsAndABusyOneSaysWhich() {
        assertThat(new Preflight(0.05, 0.02, 0.3, 5000, 2).reasons()).isEmpty();
        assertThat(new Preflight(0.26, 0.11, 2.1, 5000, 2).reasons()).hasSize(3);
        assertThat(new Preflight(0.05, 0.02, 0.3, 5000, 1).reasons())
                .singleElement()
                .asString()
                .contains("two");
        assertThat(Findings.warning(List.of())).isEmpty();
        assertThat(Findings.warning(List.of("a", "b"))).contains("TOO BUSY", "a; b");
    }

    @Test
    void tableIsMarkdownWithAlignedColumns() {
        assertThat(new Table("a", "long head").row("weir", "1").row("x|y", "").text())
                .isEqualTo("""
                        | a    | long head |
                        |------|-----------|
                        | weir | 1         |
                        | x\\|y |           |
                        """);
    }

    @Test
    void figuresAreMedians() {
        Series weir = new Series("weir", new double[] {6.04, 9, 5}, new double[] {1000, 3000, 2000.4});
        assertThat(Findings.figures(List.of(weir), Map.of("weir", "0.1"))).isEqualTo("""
                | server | version | CPU us/request | requests/s |
                |--------|---------|----------------|------------|
                | weir   | 0.1     | 6.0            | 2000       |
                """);
    }

    @Test
    void missingProgramsAreNamedWithTheirPackages(@TempDir Path empty) {
        assertThat(PeerProgram.WRK.find(empty.toString())).isEmpty();
        assertThat(PeerProgram.missing(List.of(PeerProgram.WRK, PeerProgram.VARNISH)))
                .contains("not installed: wrk, varnishd", "apt-get install wrk varnish", "--install");
    }

    @Test
    void programsAreFoundOnThePath(@TempDir Path folder) throws Exception {
        Path file = java.nio.file.Files.createFile(folder.resolve("wrk"));
        assertThat(file.toFile().setExecutable(true)).isTrue();
        assertThat(PeerProgram.WRK.find("/nowhere::" + folder)).contains(file);
    }
}
