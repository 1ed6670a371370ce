package io.weir.kernel.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Live;
import io.weir.base.RecordingLog;
import io.weir.base.Stats;
import io.weir.kernel.Configs;
import io.weir.kernel.settings.KernelConfig;
import io.weir.kernel.settings.KernelLimits;
import io.weir.kernel.settings.KernelMessages;
import io.weir.kernel.settings.KernelStats;
import io.weir.kernel.settings.Machine;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Low latency and high concurrency by the Sun proxy's rule, second by second. */
class ModeRuleTest {
    private static final int THREADS = 10;

    private final Stats stats = new Stats();
    private final RecordingLog log = new RecordingLog();
    private final Live<KernelConfig> config = new Live<>(Configs.kernel("request-throttle=" + THREADS));
    private final ModeRule rule = new ModeRule(
            new KernelLimits(config, new Machine(20_000, 2), Configs.work().mostThreads(new Machine(20_000, 2))),
            stats,
            log);
    private final List<String> changes = new ArrayList<>();
    private int second;

    /** A load for some seconds: requests in handling, and waiting. */
    private void load(int seconds, int active, int queued) {
        for (int i = 0; i < seconds; i++) {
            Mode before = rule.mode();
            rule.second(active, queued);
            second++;
            if (rule.mode() != before) {
                changes.add(second + ": " + rule.mode());
            }
        }
    }

    /** A morning: quiet, rising to the throttle and over it for two minutes, falling, quiet again. */
    @Test
    void aLoadThatCrossesBothThresholdsChangesTheModeTwice() {
        load(60, 2, 0);
        load(20, 6, 0);
        load(10, 9, 0);
        load(120, 10, 30);
        load(5, 10, 3);
        load(5, 9, 0);
        load(10, 6, 0);
        load(300, 2, 0);
        assertThat(changes).hasSize(2);
        assertThat(changes.getFirst()).isEqualTo("91: HIGH_CONCURRENCY");
        assertThat(changes.getLast()).endsWith(": LOW_LATENCY");
        assertThat(stats.value(KernelStats.MODE_CHANGES)).isEqualTo(2);
        assertThat(log.entries())
                .extracting(RecordingLog.Entry::message)
                .containsExactly(KernelMessages.HIGH_CONCURRENCY, KernelMessages.LOW_LATENCY);
    }

    /** The averages hold the mode: one quiet second amid the storm is not the end of it. */
    @Test
    void aQuietSecondDoesNotEndHighConcurrencyWhileTheAveragesAreHigh() {
        load(120, 10, 30);
        load(1, 2, 0);
        load(60, 10, 30);
        assertThat(changes).containsExactly("1: HIGH_CONCURRENCY");
    }

    @Test
    void eachOfTheFourConditionsIsNeededForLowLatency() {
        load(1, 9, 0);
        assertThat(rule.mode()).as("idle exceeds queued").isEqualTo(Mode.LOW_LATENCY);
        load(1, 9, 1);
        assertThat(rule.mode()).as("as many idle as queued").isEqualTo(Mode.HIGH_CONCURRENCY);
        load(1, 9, 0);
        assertThat(rule.mode()).isEqualTo(Mode.LOW_LATENCY);
        load(1, 10, 0);
        assertThat(rule.mode()).as("no thread idle").isEqualTo(Mode.HIGH_CONCURRENCY);
    }

    @Test
    void aLoadBelowTheThresholdsChangesNothing() {
        load(600, 9, 0);
        assertThat(changes).isEmpty();
        assertThat(stats.value(KernelStats.MODE_CHANGES)).isZero();
    }
}
