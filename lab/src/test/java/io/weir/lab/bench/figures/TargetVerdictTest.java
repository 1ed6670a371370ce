package io.weir.lab.bench.figures;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.bench.peer.HttpScenario;
import io.weir.lab.bench.peer.Peer;
import io.weir.lab.bench.peer.Size;
import io.weir.lab.bench.peer.Targets;
import java.util.List;
import org.junit.jupiter.api.Test;

class TargetVerdictTest {
    @Test
    void targetIsMetWhenTheWholeIntervalIsWithinIt() {
        assertThat(TargetVerdict.of(new PairedRatio(0.7, 0.6, 0.8, 10), 0.8)).isEqualTo(TargetVerdict.MET);
    }

    @Test
    void targetInsideTheIntervalIsOpenOnBothSides() {
        assertThat(TargetVerdict.of(new PairedRatio(0.7, 0.6, 0.81, 10), 0.8)).isEqualTo(TargetVerdict.OPEN);
        assertThat(TargetVerdict.of(new PairedRatio(0.9, 0.8, 1.0, 10), 0.8)).isEqualTo(TargetVerdict.OPEN);
    }

    @Test
    void targetIsMissedOnlyWhenTheIntervalExcludesIt() {
        assertThat(TargetVerdict.of(new PairedRatio(0.9, 0.81, 1.0, 10), 0.8)).isEqualTo(TargetVerdict.MISSED);
    }

    @Test
    void fewRoundsDecideNothing() {
        assertThat(TargetVerdict.of(new PairedRatio(0.1, 0.1, 0.1, 5), 0.8)).isEqualTo(TargetVerdict.OPEN);
        assertThat(TargetVerdict.of(new PairedRatio(9, 9, 9, 5), 0.8)).isEqualTo(TargetVerdict.OPEN);
        assertThat(TargetVerdict.of(new PairedRatio(9, 9, 9, 6), 0.8)).isEqualTo(TargetVerdict.MISSED);
    }

    @Test
    void targetsOfHitsDependOnTheSize() {
        assertThat(Targets.against(Peer.NGINX, HttpScenario.HITS, Size.ONE)).containsExactly(0.6);
        assertThat(Targets.against(Peer.NGINX, HttpScenario.HITS, Size.THIRTEEN))
                .containsExactly(0.75);
        assertThat(Targets.against(Peer.SQUID, HttpScenario.HITS, Size.THIRTEEN))
                .isEmpty();
    }

    @Test
    void missesHaveAFirstAndASecondTarget() {
        Comparison misses = new Comparison(
                "weir / nginx",
                new PairedRatio(1.1, 1.05, 1.15, 10),
                Targets.against(Peer.NGINX, HttpScenario.MISSES, Size.ONE));
        assertThat(misses.targetText()).isEqualTo("<= 1.2, then <= 1.0");
        assertThat(misses.verdictText()).isEqualTo("met, then missed");
    }

    @Test
    void comparisonWithoutATargetHasNoVerdict() {
        Comparison plain = new Comparison("weir / squid", new PairedRatio(0.2, 0.1, 0.3, 10), List.of());
        assertThat(plain.targetText()).isEqualTo("-");
        assertThat(plain.verdictText()).isEqualTo("-");
        assertThat(plain.ratioText()).isEqualTo("0.20 [0.10, 0.30]");
    }

    @Test
    void ratioThatAPercentDecidesHasThreeDecimals() {
        Comparison fine = new Comparison("on / off", new PairedRatio(1.004, 1, 1.008, 10), List.of(1.01));
        assertThat(fine.ratioText()).isEqualTo("1.004 [1.000, 1.008]");
    }
}
