package io.weir.server.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cluster.log.LogStatus;
import io.weir.cluster.singleton.SingletonStage;
import io.weir.cluster.state.singletons.Phase;
import io.weir.kernel.connection.SessionStatus;
import io.weir.proxy.pool.Balance;
import io.weir.proxy.pool.HealthState;
import io.weir.server.figures.cluster.ClusterFigures;
import io.weir.server.figures.origins.OriginFigures;
import io.weir.server.figures.tls.TlsFigures;
import io.weir.server.figures.work.WorkFigures;
import io.weir.server.monitor.source.Facts;
import io.weir.server.monitor.source.Readings;
import io.weir.server.monitor.source.TrafficFigures;
import io.weir.server.monitor.source.TrafficFigures.Figure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** stats-xml with everything on is what its DTD declares, and all of that. */
class StatsXmlEverythingTest {

    private final FakeSource source = new FakeSource();
    private final Readings readings = new Readings(
            Facts.Averages.ZERO,
            0,
            0,
            Facts.Averages.ZERO,
            Facts.Averages.ZERO,
            Facts.Averages.ZERO,
            0,
            0,
            0,
            List.of(new Readings.Cpu(0, 70, 20, 10)),
            Map.of(),
            Map.of());

    @BeforeEach
    void everything() {
        source.rows = Arrays.stream(SessionStatus.values())
                .map(s -> new Facts.SessionRow(s.word(), "::1", 0, "default", "GET", "/", "f"))
                .toList();
        source.http2 = new Facts.Http2(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
        source.work = new WorkFigures(
                new WorkFigures.Overload(true, 1, 7, 8, 9, 10),
                "high concurrency",
                3,
                List.of(
                        new WorkFigures.Manager("default", "running", 12, 3, 1, 2, 0, 4, 0, 9000, 5),
                        new WorkFigures.Manager("reports", "shut down", 12, 0, 3, 0, 1, 7, 1, 800, 60)),
                List.of(new WorkFigures.RequestClass("gold", 80, 6, 4000, 4, 10_000_000)),
                Stream.of("min-threads", "max-threads", "capacity")
                        .map(kind -> new WorkFigures.Bound(kind, "b", 0, 2, 31, 0))
                        .toList());
        source.diskCache = new Facts.DiskCache(true, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
        source.diskPartitions = List.of(new Facts.DiskPartition("part1", 1, 2, 3, 4, 5, 6, false));
        source.tls = List.of(tls("https"), tls("proxy.origin-tls"));
        source.traffic = Stream.of("listener", "virtual-server", "client")
                .map(scope -> new TrafficFigures(
                        scope, "x", new Figure(3, 17, 100), new Figure(7, 9, 0.5), new Figure(0, 0, 1), 99, 12345))
                .toList();
        source.origins = Arrays.stream(Balance.values())
                .map(b -> new OriginFigures("p", word(b), 0, 0, 0, 0, 0, 0, 0, origins()))
                .toList();
        source.messaging = FakeSource.someMessaging();
        cluster("follower");
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static TlsFigures tls(String owner) {
        return new TlsFigures(
                owner,
                3,
                1,
                1,
                0,
                1,
                0,
                0,
                List.of(
                        new TlsFigures.Count(TlsFigures.Kind.PROTOCOL, "TLSv1.3", 3),
                        new TlsFigures.Count(TlsFigures.Kind.CIPHER, "TLS_AES_128_GCM_SHA256", 3),
                        new TlsFigures.Count(TlsFigures.Kind.FAILURE, "plaintext", 1)),
                List.of(new TlsFigures.Certificate("a.pem", List.of("a", "b"), "EC 256", 0, "off")));
    }

    private static List<OriginFigures.Server> origins() {
        return Stream.concat(
                        Stream.of("leaving"),
                        Arrays.stream(HealthState.values()).map(HealthState::word))
                .map(state -> new OriginFigures.Server("p", "s:80", "r", state, "", 0, 3, 1, 1, 0, 0, 0, 0, 0, 1, 1))
                .toList();
    }

    private void cluster(String role) {
        ClusterFigures some = FakeSource.someCluster();
        ClusterFigures.Totals t = some.totals();
        source.cluster = new ClusterFigures(
                new ClusterFigures.Totals(
                        t.cluster(),
                        t.member(),
                        t.leasing(),
                        t.outage(),
                        role,
                        t.leader(),
                        t.term(),
                        t.applied(),
                        t.committed(),
                        t.live(),
                        t.known(),
                        t.held(),
                        t.active(),
                        t.renewals(),
                        t.renewalsFailed(),
                        t.expired(),
                        t.transitions(),
                        t.fenceRefusals(),
                        t.activations(),
                        t.activation50(),
                        t.activation99(),
                        t.activationMax()),
                Stream.of("live", "leaving", "gone", "cut-off", "unknown")
                        .map(state ->
                                new ClusterFigures.Member("m", state, true, false, false, "10.0.0.1:7001", 0, "1"))
                        .toList(),
                some.leases(),
                phases().map(p -> new ClusterFigures.Singleton("s", p, "m", "", "1.1", "", 0))
                        .toList(),
                some.timers());
    }

    /** Of the cluster, and where it does not answer, of what is here. */
    private static Stream<String> phases() {
        Stream<String> here = Stream.of(
                        SingletonStage.ACTIVATING,
                        SingletonStage.ACTIVE,
                        SingletonStage.DEACTIVATING,
                        SingletonStage.ISOLATED)
                .map(StatsXmlEverythingTest::word);
        return Stream.concat(
                        Arrays.stream(Phase.values()).map(StatsXmlEverythingTest::word),
                        Stream.concat(here, Stream.of("stopped", "unknown")))
                .distinct();
    }

    private Document document(Map<String, String> switches) throws Exception {
        return StatsXmlTest.valid(new StatsXml(source, readings, switches, 0).write(true));
    }

    private static Set<String> declared() {
        Set<String> names = new TreeSet<>();
        Matcher m = Pattern.compile("<!ELEMENT ([a-z0-9-]+) ").matcher(DocumentType.text());
        while (m.find()) {
            names.add(m.group(1));
        }
        return names;
    }

    private static Set<String> names(Document document) {
        NodeList all = document.getElementsByTagName("*");
        Set<String> names = new TreeSet<>();
        for (int i = 0; i < all.getLength(); i++) {
            names.add(all.item(i).getNodeName());
        }
        return names;
    }

    @Test
    void whatAppearsIsDeclaredAndWhatIsDeclaredAppears() throws Exception {
        assertThat(names(document(Map.of()))).isEqualTo(declared());
    }

    @Test
    void everyRoleOfAMemberIsDeclared() throws Exception {
        for (LogStatus.Role role : LogStatus.Role.values()) {
            cluster(word(role));
            document(Map.of());
        }
    }

    @Test
    void everyElementButTheRootCanBeSwitchedOff() throws Exception {
        List<String> stayed = new ArrayList<>();
        for (String name : declared()) {
            if (!name.equals("stats")
                    && document(Map.of(name, "0")).getElementsByTagName(name).getLength() > 0) {
                stayed.add(name);
            }
        }
        assertThat(stayed).isEmpty();
    }
}
