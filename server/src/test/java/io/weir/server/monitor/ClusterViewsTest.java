package io.weir.server.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.server.figures.cluster.ClusterFigures;
import io.weir.server.monitor.jmx.ClusterBeans;
import io.weir.server.monitor.jmx.MessagingBeans;
import io.weir.server.monitor.source.Readings;
import io.weir.server.monitor.text.ReadOnlyBean;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

final class ClusterViewsTest {
    private final FakeSource source = new FakeSource();

    @BeforeEach
    void threeMembers() {
        source.cluster = FakeSource.someCluster();
    }

    private String dump() {
        return new Perfdump(source, ZoneOffset.UTC, 0).write(true);
    }

    private Document xml(Map<String, String> switches) throws Exception {
        return StatsXmlTest.valid(new StatsXml(source, Readings.NONE, switches, 0).write(true));
    }

    private static Element element(Document d, String name, int i) {
        return (Element) d.getElementsByTagName(name).item(i);
    }

    @Test
    void perfdumpEndsWithTheCluster() {
        assertThat(dump().replaceAll("-{42,}", "---")).endsWith("""
                ClusterInfo works:
                -----------------------------------------
                Member                                     alpha
                Leasing                                    consensus
                Outage                                     none
                Role                                       follower
                Leader                                     beta
                Term                                       7
                Entries Applied/Committed                  1200/1210
                Members Live/Known                         2/3
                Leases Held Here                           3
                Singletons Active Here                     1
                Renewals/Failed                            900/4
                Leases Expired                             2
                Singleton Transitions Here                 11
                Fence Refusals                             5
                Activations                                6
                Activation Time 50%/99%/Most               1.500/9.000/12.000 milliseconds

                ClusterMembers:
                ---
                Member  State  Leader  Witness  Address        Lag  Incarnation  Here
                alpha   live   no      no       10.0.0.1:7001  -    1a2b         yes
                beta    live   yes     no       10.0.0.2:7001  0    3c4d         no
                gamma   gone   no      yes      10.0.0.3:7001  812  5e6f         no

                ClusterLeases:
                ---
                Lease              Owner  Fence   Left      Transitions
                member/alpha       alpha  1.17    6500 ms   2
                singleton/counter  beta   1.1100  ~8200 ms  9
                singleton/poller   beta   1.1101  -         1

                ClusterSingletons:
                ---
                Singleton  Phase   Member  Preferred  Fence   Activation  Reason
                counter    active  beta    alpha      1.1100  2.500 ms    the lease of gamma expired
                poller     failed  -       -          -       -           threw <x>?

                ClusterTimers:
                ---
                Timer  Schedule   Zone           Last                  Next                  Firings  Paused  Failure
                night  0 3 * * *  Europe/Berlin  2026-11-21T02:00:00Z  2026-11-22T02:00:00Z  12       no      -

                """);
    }

    @Test
    void rowsAreBoundedAndWhatIsCutIsSaid() throws Exception {
        ClusterFigures some = FakeSource.someCluster();
        List<ClusterFigures.Lease> many = new ArrayList<>();
        for (int i = 0; i < ClusterFigures.MAX_ROWS + 5; i++) {
            many.add(new ClusterFigures.Lease("singleton/" + i, "alpha", "1." + i, -1, false, 1));
        }
        source.cluster = new ClusterFigures(some.totals(), some.members(), many, some.singletons(), some.timers());
        assertThat(dump()).contains("1000 of 1005 are shown, at most 1000\n\nClusterSingletons:");
        Document d = xml(Map.of());
        assertThat(d.getElementsByTagName("cluster-lease-bucket").getLength()).isEqualTo(1000);
        assertThat(element(d, "cluster-bucket", 0).getAttribute("maxShown")).isEqualTo("1000");
    }

    @Test
    void thereIsNothingOfAClusterWithoutOne() throws Exception {
        source.cluster = null;
        assertThat(dump()).doesNotContain("Cluster");
        assertThat(xml(Map.of()).getElementsByTagName("cluster-bucket").getLength())
                .isZero();
        assertThat(new ClusterBeans().refresh(null)).isEmpty();
    }

    @Test
    void figuresAreAttributesOfStatsXml() throws Exception {
        Document d = xml(Map.of());
        Element totals = element(d, "cluster-bucket", 0);
        assertThat(totals.getAttribute("role")).isEqualTo("follower");
        assertThat(totals.getAttribute("leader")).isEqualTo("beta");
        assertThat(totals.getAttribute("countFenceRefusals")).isEqualTo("5");
        assertThat(totals.getAttribute("maxTicksActivation")).isEqualTo("12000");
        Element gone = element(d, "cluster-member-bucket", 2);
        assertThat(gone.getAttribute("mode")).isEqualTo("gone");
        assertThat(gone.getAttribute("countLag")).isEqualTo("812");
        assertThat(element(d, "cluster-lease-bucket", 0).getAttribute("millisLeft"))
                .isEqualTo("6500");
        assertThat(element(d, "cluster-lease-bucket", 0).getAttribute("flagEstimated"))
                .isEqualTo("0");
        assertThat(element(d, "cluster-lease-bucket", 1).getAttribute("millisLeft"))
                .isEqualTo("8200");
        assertThat(element(d, "cluster-lease-bucket", 1).getAttribute("flagEstimated"))
                .isEqualTo("1");
        assertThat(element(d, "cluster-singleton-bucket", 1).getAttribute("mode"))
                .isEqualTo("failed");
        assertThat(element(d, "cluster-timer-bucket", 0).getAttribute("countFirings"))
                .isEqualTo("12");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cluster-bucket",
                "cluster-member-bucket",
                "cluster-lease-bucket",
                "cluster-singleton-bucket",
                "cluster-timer-bucket"
            })
    void elementSwitchedOffIsGoneAndTheRestValid(String name) throws Exception {
        assertThat(xml(Map.of()).getElementsByTagName(name).getLength()).isPositive();
        assertThat(xml(Map.of(name, "0")).getElementsByTagName(name).getLength())
                .isZero();
    }

    private static ReadOnlyBean bean(Map<MessagingBeans.Name, Supplier<ReadOnlyBean>> all, String type, String name) {
        return Objects.requireNonNull(all.get(new MessagingBeans.Name(type, name)))
                .get();
    }

    @Test
    void beansHaveWebLogicsNames() throws Exception {
        var all = new ClusterBeans().refresh(source.cluster);
        ReadOnlyBean cluster = bean(all, "ClusterRuntime", "cluster");
        assertThat(cluster.value("AliveServerCount")).isEqualTo(2);
        assertThat(cluster.value("MigrationBasis")).isEqualTo("consensus");
        ReadOnlyBean counter = bean(all, "SingletonServiceRuntime", "counter");
        assertThat(counter.value("HostingServer")).isEqualTo("beta");
        assertThat(counter.value("UserPreferredServer")).isEqualTo("alpha");
        assertThat(bean(all, "LeaseRuntime", "member/alpha").value("MillisLeft"))
                .isEqualTo(6500L);
        assertThat(bean(all, "LeaseRuntime", "singleton/counter").value("Estimated"))
                .isEqualTo(true);
        assertThat(bean(all, "ClusterMemberRuntime", "gamma").value("State")).isEqualTo("gone");
        assertThat(bean(all, "TimerRuntime", "night").value("FiringsCount")).isEqualTo(12L);
    }
}
