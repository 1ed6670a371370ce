package io.weir.cluster.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Fence;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.cluster.stats.ClusterMessages;
import io.weir.cluster.stats.ClusterStats;
import org.junit.jupiter.api.Test;

class FenceGuardTest {
    private static final Fence NOW = new Fence(1, 7);
    private final Stats stats = new Stats();
    private final RecordingLog log = new RecordingLog();
    private final FenceGuard guard =
            new FenceGuard(l -> l.equals("held") ? NOW : Fence.NONE, LeaseSafety.SAFE, stats, log);

    @Test
    void onlyTheCurrentFencePasses() {
        assertThat(guard.admits("bind", "held", NOW)).isTrue();
        assertThat(guard.admits("bind", "held", new Fence(1, 6))).isFalse();
        assertThat(guard.admits("bind", "held", new Fence(1, 8))).isFalse();
        assertThat(guard.admits("fire", "free", NOW)).isFalse();
        assertThat(guard.admits("fire", "free", Fence.NONE)).isFalse();
    }

    @Test
    void aRefusalIsCountedByItsKindAndLogged() {
        guard.admits("bind", "held", new Fence(1, 6));
        assertThat(stats.value(ClusterStats.FENCE_REFUSED, "bind", "member")).isEqualTo(1);
        assertThat(log.count(ClusterMessages.FENCE_REFUSED)).isEqualTo(1);
    }

    @Test
    void aFenceThatIsDeadHereDoesNotPassWhateverTheLogBelieves() {
        guard.kill("held", NOW);
        guard.kill("held", new Fence(1, 3));
        assertThat(guard.admits("bind", "held", NOW)).isFalse();
    }
}
