package io.weir.server.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.server.monitor.source.Facts;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Holds perfdump against the labels, columns and dashes of the tuning guide, with the figures of its samples. */
class PerfdumpTest {
    private static final long NOW = 1_225_962_300_000L;

    private final FakeSource source = new FakeSource();

    @Test
    void reportIsTheReferencesLetterForLetter() {
        source.rows = List.of(
                new Facts.SessionRow(
                        "response", "192.6.7.8", NOW - 115_900, "https-test", "GET", "/qa.html", "proxy-retrieve"),
                new Facts.SessionRow("DNS", "10.0.0.1", NOW, "https-test", "PROPFIND", "/", ""));

        assertThat(dump()).isEqualTo("""
                proxyd pid: 4711

                Weir 0.1.0 B11/21/2026 00:00 (Linux amd64)

                Server started Thu Nov  6 09:00:01 2008
                Process 4711 started Thu Nov  6 09:00:01 2008

                ConnectionQueue:
                -----------------------------------------
                Current/Peak/Limit Queue Length            0/1853/160032
                Total Connections Queued                   11222922
                Average Queue Length (1, 5, 15 minutes)    90.35, 89.64, 54.02
                Average Queueing Delay                     4.80 milliseconds

                ListenSocket ls1:
                ------------------------
                Address                   https://0.0.0.0:2014
                Acceptor Threads          1
                Default Virtual Server    https-test

                KeepAliveInfo:
                --------------------
                KeepAliveCount        198/200
                KeepAliveHits         0
                KeepAliveFlushes      0
                KeepAliveRefusals     56844280
                KeepAliveTimeouts     365589
                KeepAliveTimeout      10 seconds

                SessionCreationInfo:
                ------------------------
                Active Sessions           1
                Keep-Alive Sessions       0
                Total Sessions Created    48/128

                CacheInfo:
                -----------------------
                File Cache Enabled       yes
                File Cache Entries       141/1024
                File Cache Hit Ratio     652/664 ( 98.19%)
                Maximum Age              30
                Accelerator Entries      120/1024
                Acceleratable Requests   281/328 ( 85.67%)
                Acceleratable Responses  131/144 ( 90.97%)
                Accelerator Hit Ratio    247/281 ( 87.90%)

                DiskCacheInfo:
                -----------------------
                Disk cache disabled

                Native pools:
                ----------------------------
                NativePool:
                Idle/Peak/Limit               1/1/128
                Work Queue Length/Peak/Limit  0/0/0
                my-custom-pool:
                Idle/Peak/Limit               1/3/128
                Work Queue Length/Peak/Limit  4/5/60

                HostDNSCacheInfo:
                ------------------
                enabled             yes
                CacheEntries        12/1024
                HitRatio            30/40 ( 75.00%)

                Async DNS disabled

                ClientDNSCacheInfo:
                ------------------
                Server DNS cache disabled

                Async DNS disabled

                Performance Counters:
                ------------------------------------------------
                                           Average         Total      Percent

                Total number of requests:               62647125
                Request processing time:    0.0343  2147687.2500

                default-bucket (Default bucket)
                Number of Requests:                     62647125    (100.00%)
                Number of Invocations:                3374170785    (100.00%)
                Latency:                    0.0008    47998.2500    (  2.23%)
                Function Processing Time:   0.0335  2099689.0000    ( 97.77%)
                Total Response Time:        0.0343  2147687.2500    (100.00%)

                Sessions:
                ---------------------------------------------------------------------------------
                Process  Status    Client     Age  VS          Method    URI       Function
                4711     response  192.6.7.8  115  https-test  GET       /qa.html  proxy-retrieve
                4711     DNS       10.0.0.1   0    https-test  PROPFIND  /         -

                """);
    }

    @Test
    void statisticsThatAreOffAreOneLine() {
        assertThat(new Perfdump(source, ZoneOffset.UTC, NOW).write(false)).isEqualTo("Statistics disabled\n");
    }

    @Test
    void unknownBuildIsLeftOut() {
        Facts.Identity id = source.identity;
        source.identity = new Facts.Identity(
                id.id(),
                id.product(),
                id.version(),
                "",
                id.platform(),
                id.pid(),
                id.serverStarted(),
                id.processStarted(),
                id.configurations(),
                id.maxThreads());

        assertThat(dump()).contains("\nWeir 0.1.0 (Linux amd64)\n");
    }

    @Test
    void disabledCacheSaysSoInsteadOfZeros() {
        source.cache = Facts.Cache.OFF;

        assertThat(dump()).contains("CacheInfo:\n-----------------------\nServer cache disabled\n\n");
        assertThat(dump()).doesNotContain("File Cache Entries");
    }

    @Test
    void diskCacheHasItsLabelsOnceThereIsOne() {
        source.diskCache = new Facts.DiskCache(true, 3, 1, 10, 20, 30, 0, 0, 0, 0, 0, 0, 0, 0, 0);

        assertThat(dump()).contains("""
                DiskCacheInfo:
                -----------------------
                Hit Ratio                3/4 ( 75.00%)
                Misses                   1
                Cache files at startup   10
                Cache files created      20
                Cache files cleaned up   30
                """);
    }

    @Test
    void partitionsAndMembersHaveTheirSectionsOnceThereAreSome() {
        assertThat(dump()).doesNotContain("DiskPartitionInfo", "MemberCacheInfo");
        source.diskPartitions = List.of(
                new Facts.DiskPartition("ssd1", 1, 2, 3, 4, 5, 6, false),
                new Facts.DiskPartition("ssd2", 7, 8, 9, 10, 11, 12, true));
        source.memberCaches = new Facts.MemberCaches(3, 10, 2, 1, 4, 5, 20);

        assertThat(dump()).contains("""
                DiskPartitionInfo:
                -----------------------
                ssd1:
                Failing                  no
                Cache files              1
                Bytes/Limit              2/3
                Segments                 4
                Hits                     5
                Errors                   6
                ssd2:
                Failing                  yes
                Cache files              7
                Bytes/Limit              8/9
                Segments                 10
                Hits                     11
                Errors                   12

                MemberCacheInfo:
                ------------------------------
                Members                         3
                Owners Answered/Failed/Refused  10/2/1
                Continued from Origins/Cut      4/5
                Requests of Members             20

                """);
    }

    @Test
    void asynchronousDnsHasItsSection() {
        source.hostDns = new Facts.Dns(true, 0, 1024, 0, 0, true, 5, 6, 7);

        assertThat(dump()).contains("""
                HitRatio            0/0 (  0.00%)

                AsyncDNS Data:
                ------------------
                enabled             yes
                NameLookups         5
                AddrLookups         6
                LookupsInProgress   7

                ClientDNSCacheInfo:
                """);
    }

    @Test
    void bucketsShowTheLastDefinedFirstAndTheDefaultLast() {
        source.buckets.add(new Facts.Bucket("cache-bucket", "Cached responses", 1, 1, 0, 0));
        source.buckets.add(new Facts.Bucket("acl-bucket", "ACL bucket", 1, 1, 0, 0));

        assertThat(dump()).containsSubsequence("acl-bucket (ACL", "cache-bucket (Cached", "default-bucket (Default");
    }

    @Test
    void predefinedBucketThatIsNotUsedIsLeftOut() {
        source.buckets.add(new Facts.Bucket("cache-bucket", "Cached responses", 0, 0, 0, 0));
        source.buckets.add(new Facts.Bucket("acl-bucket", "ACL bucket", 0, 0, 0, 0));

        assertThat(dump()).contains("acl-bucket (ACL bucket)\n").doesNotContain("cache-bucket");
    }

    @Test
    void profilingThatIsOffIsOneLine() {
        source.buckets = List.of();

        assertThat(dump())
                .contains("\n\nPerformance Statistics disabled\n\nSessions:\n")
                .doesNotContain("Counters:");
    }

    @Test
    void serverWithoutRequestsDividesNothingByZero() {
        Facts.Requests none = new Facts.Requests(null, null, 0, 0, 0, 0, 0, null, 0, Facts.Statuses.NONE);
        source.servers = List.of(new Facts.VirtualServer("default", true, List.of(), List.of(), none, List.of()));
        source.buckets = List.of(new Facts.Bucket("default-bucket", "Default bucket", 0, 0, 0, 0));
        source.queue = new Facts.Queue(0, 0, 1, 0, 0, 0, 0, Facts.Averages.ZERO);

        assertThat(dump())
                .contains("Total number of requests:                      0\n")
                .contains("Average Queueing Delay                     0.00 milliseconds\n")
                .doesNotContain("NaN");
    }

    @Test
    void sessionsTableNeverShowsMoreThanItsBoundNorBreaksItsLines() {
        Facts.SessionRow row =
                new Facts.SessionRow("request", "::1", NOW, "vs", "GET", "/a\r\n" + "b".repeat(500), "f");
        source.rows = Collections.nCopies(Perfdump.MAX_SESSIONS + 1, row);

        String table = dump().substring(dump().indexOf("Sessions:\n"));
        assertThat(table.lines().filter(l -> l.startsWith("4711"))).hasSize(Perfdump.MAX_SESSIONS);
        assertThat(table.lines().mapToInt(String::length).max().orElse(0)).isLessThan(300);
    }

    private String dump() {
        return new Perfdump(source, ZoneOffset.UTC, NOW).write(true);
    }
}
