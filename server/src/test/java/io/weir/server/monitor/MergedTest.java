package io.weir.server.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.server.figures.origins.OriginFigures;
import io.weir.server.figures.work.WorkFigures;
import io.weir.server.monitor.source.Facts;
import io.weir.server.monitor.source.TrafficFigures;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Figures of several processes become one report. */
class MergedTest {
    private static Snapshot snapshot(long pid, String state, long n) {
        Facts.Dns dns = new Facts.Dns(true, n, 10, n, n, true, n, n, n);
        OriginFigures.Server server = new OriginFigures.Server(
                "p", "s:80", "r", state, "", 100 + n, 3, n, n, 0, 0, 0, 0, 0, n, n * 2_000_000);
        return new Snapshot(
                true,
                new Facts.Identity("weir", "Weir", "1", "", "Linux", pid, 1000 + n, 2000 + n, 1, 64),
                new Facts.Queue(n, n, 100, n, 10 * n, 0, 30_000_000 * n, new Facts.Averages(0.5, 0.25, n)),
                List.of(new Facts.Listener("http", "127.0.0.1:80", "http", 1, "vs", true)),
                new Facts.KeepAlive(n, 50, 7, 0, 0, 0, 30),
                Facts.Http2.NONE,
                new Facts.Sessions(n, n, n, 64),
                List.of(new Facts.SessionRow("request", "10.0.0.1", 0, "vs", "GET", "/", "f", pid)),
                Facts.Cache.OFF,
                new Facts.DiskCache(true, 0, 0, 0, 0, 0, n, n, 100, 0, 0, 0, 0, 0, 0),
                List.of(new Facts.DiskPartition("part1", n, 10 * n, 100, 1, n, 0, n == 4)),
                new Facts.MemberCaches(2, n, 0, 0, 0, 0, n),
                List.of(new Facts.Pool("default", 1, 2, 2, 8, 0, 0, 0, n, 0, 0, 0, 0)),
                WorkFigures.NONE,
                List.of(),
                List.of(),
                dns,
                dns,
                List.of(new OriginFigures("p", "round-robin", n, 0, 0, 0, 0, 0, 0, List.of(server))),
                List.of(new Facts.Bucket("default-bucket", "Default", n, n, n, n)),
                n,
                n * 1_000_000_000L);
    }

    @Test
    void reportAddsUpAndShowsEachProcess() {
        // as it comes from another process
        Snapshot one = Snapshot.parse(snapshot(11, "up", 3).json());
        assertThat(one).isEqualTo(snapshot(11, "up", 3));
        Snapshot two = snapshot(12, "up", 4);
        String text = ProcessesText.perfdump(
                new ProcessesText.Supervisor(9, 1000, 2000),
                List.of(
                        new ProcessesText.ProcessAnswer(1, 11, "", List.of(one)),
                        new ProcessesText.ProcessAnswer(2, 12, "", List.of(two)),
                        new ProcessesText.ProcessAnswer(3, 0, "starting", List.of()),
                        new ProcessesText.ProcessAnswer(4, 14, "no-answer", List.of())),
                "KeepAliveInfo:\n\nMessagingInfo:\nof the first\n",
                5000);
        assertThat(text)
                .startsWith("proxyd pid: 9\n")
                .contains(
                        "Server started " + Perfdump.ctime(2000, ZoneId.systemDefault()) + "\n",
                        "Process 9 started " + Perfdump.ctime(1000, ZoneId.systemDefault()) + "\n",
                        "Current/Peak/Limit Queue Length            7/7/200\n",
                        "Average Queue Length (1, 5, 15 minutes)    1.00, 0.50, 7.00\n",
                        "Average Queueing Delay                     3.00 milliseconds\n",
                        "KeepAliveCount        7/100\n",
                        "KeepAliveTimeout      30 seconds\n",
                        "Idle/Peak/Limit               2/4/16\n",
                        "Total number of requests:                      7\n",
                        "MessagingInfo:\nof the first\n")
                .containsPattern("part1:\nFailing +yes\nCache files +7\nBytes/Limit +70/200\nSegments +2\nHits +7\n")
                .containsPattern("MemberCacheInfo:\n-+\nMembers +2\nOwners Answered/Failed/Refused +7/0/0\n")
                .containsPattern("(?m)^1 +11 +ready .* 3 +3 +3")
                .containsPattern("(?m)^2 +12 +ready .* 4 +4 +4")
                .containsPattern("(?m)^3 +- +starting")
                .containsPattern("(?m)^4 +14 +no-answer")
                .contains(
                        "\nThe figures below are of the processes that run: /metrics has the counts of ended ones, too.\n")
                .contains("\nProcess 4 does not answer: its figures are missing below.\n\n")
                .doesNotContain("Process 3 does")
                .containsPattern("(?m)^11 +request")
                .containsPattern("(?m)^12 +request")
                .containsPattern("(?m)^p +s:80 +up .* 7 .*2.000 ms");
    }

    @Test
    void originThatIsDownForOneProcessOnlyHasARowForEach() {
        Snapshot sum = Snapshot.sum(List.of(snapshot(11, "up", 3), snapshot(12, "down", 4)));
        assertThat(sum.origins())
                .singleElement()
                .extracting(OriginFigures::retries)
                .isEqualTo(7L);
        assertThat(sum.origins().getFirst().servers())
                .extracting(OriginFigures.Server::state)
                .containsExactly("up", "down");
    }

    private static String traffic(long listener, long first, long second) {
        return Snapshot.Traffic.json(List.of(
                usage("listener", "http", listener), usage("client", "::1", first), usage("client", "::2", second)));
    }

    private static TrafficFigures usage(String scope, String name, long bytes) {
        TrafficFigures.Figure figure = new TrafficFigures.Figure(bytes, bytes, 10);
        return new TrafficFigures(scope, name, figure, figure, figure, 1, bytes);
    }

    @Test
    void trafficIsAddedUpAndOfTheClientsTheBusiestAreShown() {
        String text = ProcessesText.traffic(List.of(traffic(5, 1, 2), traffic(6, 4, 2)), 1);
        assertThat(text)
                .contains(
                        "{\"scope\":\"listener\",\"name\":\"http\",\"connections\":{\"current\":11,\"peak\":11,\"limit\":20}")
                .contains("\"name\":\"::1\",\"connections\":{\"current\":5,")
                .contains("\"requests\":2,\"bytes\":5")
                .doesNotContain("::2");
        assertThat(ProcessesText.traffic(List.of(traffic(5, 1, 2)), 10)).contains("::1", "::2");
    }

    @Test
    void originsAreAddedUp() {
        assertThat(ProcessesText.origins(List.of(snapshot(11, "up", 3), snapshot(12, "up", 4))))
                .startsWith("[{\"pool\":\"p\"")
                .containsOnlyOnce("\"s:80\"")
                .contains("\"retries\":7");
    }

    /** The first process shows the page: what it says of the others. */
    @Test
    void indexPageOfSeveralProcessesSaysWhichViewsAreOfAll() {
        Snapshot one = snapshot(11, "up", 3);
        assertThat(new IndexPage(one.identity(), _ -> true, true).write())
                .contains("several processes", "?process=N", "/origins, /traffic, /nsc and /cache are of all");
    }

    @Test
    void whatAnOlderVersionDoesNotTellIsAsIfItWereNotThere() {
        String json = snapshot(11, "up", 3)
                .json()
                .replaceFirst("\"diskPartitions\":\\[[^\\]]*\\],", "")
                .replaceFirst("\"memberCaches\":\\{[^}]*\\},", "");
        assertThat(json).doesNotContain("diskPartitions", "memberCaches");
        Snapshot sum = Snapshot.sum(List.of(Snapshot.parse(json), snapshot(12, "up", 4)));
        assertThat(sum.diskPartitions())
                .singleElement()
                .satisfies(p -> assertThat(p.hits()).isEqualTo(4));
        assertThat(sum.memberCaches().answered()).isEqualTo(4);
    }
}
