package io.weir.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.StatSpec;
import io.weir.base.Stats;
import io.weir.cluster.state.ClusterState;
import io.weir.cluster.state.leases.LeaseState;
import io.weir.cluster.stats.ClusterStats;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Each lease and each singleton has statistics of its own. */
class ClusterSeriesTest {
    private final FakeCluster cluster = new FakeCluster();
    private final Stats stats = new Stats();
    private final ClusterFacts facts = new ClusterFacts(cluster, stats);

    private static ClusterState with(ClusterState s, SortedMap<String, LeaseState> leases) {
        return new ClusterState(
                s.applied(),
                s.epoch(),
                s.tookOver(),
                s.boot(),
                s.fenceRefusals(),
                s.members(),
                leases,
                s.singletons(),
                s.bindings(),
                s.timers(),
                s.deployments(),
                s.checkpoints(),
                s.configurations(),
                s.purges(),
                s.history());
    }

    @Test
    void aLeaseTellsItsOwnerFenceTimeLeftAndTransitions() {
        facts.refresh();
        assertThat(stats.value(ClusterStats.LEASE_OWNER, "singleton/counter", "alpha"))
                .isEqualTo(1);
        assertThat(stats.value(ClusterStats.LEASE_FENCE, "singleton/counter")).isEqualTo(1100);
        assertThat(stats.value(ClusterStats.LEASE_EPOCH, "singleton/counter")).isEqualTo(1);
        assertThat(stats.value(ClusterStats.LEASE_TRANSITIONS, "singleton/counter"))
                .isEqualTo(2);
        assertThat(stats.value(ClusterStats.LEASE_LEFT, "member/alpha", "held")).isEqualTo(6_500_000_000L);
        assertThat(stats.value(ClusterStats.LEASE_LEFT, "member/beta", "estimate"))
                .isEqualTo(8_200_000_000L);
    }

    @Test
    void aSingletonTellsItsPhaseAndWhatItsActivationTook() {
        facts.refresh();
        assertThat(stats.value(ClusterStats.SINGLETON_PHASE, "counter", "alpha", "active"))
                .isEqualTo(1);
        assertThat(stats.value(ClusterStats.LAST_ACTIVATION, "counter")).isEqualTo(2_500_000);
    }

    @Test
    void whatEndedIsNotShownAnyMore() {
        facts.refresh();
        cluster.changed = s -> with(s, new TreeMap<>());
        facts.refresh();
        assertThat(stats.samples())
                .extracting(s -> s.spec().name())
                .doesNotContain(
                        "weir_lease_owner", "weir_lease_fence", "weir_lease_left", "weir_lease_transitions_total")
                .contains("weir_singleton_phase");
    }

    @Test
    void withoutAnAnswerOfTheClusterNobodyIsSaidToHoldOrRunWhatIsNotKnown() {
        facts.refresh();
        cluster.outage = new Outage("no majority", 0, List.of("counter"), Map.of());
        facts.refresh();
        assertThat(shown(ClusterStats.LEASE_OWNER)).containsExactly(List.of("member/alpha", "alpha"));
        assertThat(shown(ClusterStats.LEASE_FENCE)).containsExactly(List.of("member/alpha"));
        assertThat(shown(ClusterStats.LEASE_LEFT)).containsExactly(List.of("member/alpha", "held"));
        assertThat(shown(ClusterStats.SINGLETON_PHASE)).containsExactly(List.of("counter", "alpha", "stopped"));
        assertThat(stats.value(ClusterStats.MEMBERS, "live")).isEqualTo(1);
        assertThat(stats.value(ClusterStats.MEMBERS, "gone")).isZero();
        assertThat(stats.value(ClusterStats.MEMBERS, "unknown")).isEqualTo(2);
        cluster.held = Map.of();
        cluster.changed = FakeCluster::elsewhere;
        facts.refresh();
        assertThat(shown(ClusterStats.SINGLETON_PHASE)).containsExactly(List.of("counter", "", "unknown"));
        assertThat(stats.value(ClusterStats.MEMBERS, "live")).isZero();
        assertThat(stats.value(ClusterStats.MEMBERS, "cut-off")).as("itself").isEqualTo(1);
        assertThat(stats.value(ClusterStats.MEMBERS, "gone")).isZero();
    }

    private List<List<String>> shown(StatSpec spec) {
        return stats.samples().stream()
                .filter(s -> s.spec().equals(spec))
                .map(Stats.Sample::labels)
                .toList();
    }

    @Test
    void aThousandLeasesHaveSeriesAndTheOthersAreCounted() {
        cluster.changed = s -> {
            TreeMap<String, LeaseState> many = new TreeMap<>();
            for (int i = 0; i < 1003; i++) {
                many.put("x/" + i, FakeCluster.lease("x/" + i, "alpha", 0x1a2b, i));
            }
            return with(s, many);
        };
        facts.refresh();
        assertThat(stats.samples().stream().filter(s -> s.spec().equals(ClusterStats.LEASE_FENCE)))
                .hasSize(1000);
        assertThat(stats.value(ClusterStats.SERIES_LEFT_OUT)).isEqualTo(3);
    }
}
