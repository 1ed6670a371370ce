package io.weir.lab.bench.jms;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.lab.jmsload.Measured;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class JmsFindingsTest {
    private static JmsSeries series(String name, long messages, double micros) {
        JmsSeries series = new JmsSeries(name);
        for (int i = 0; i < 6; i++) {
            Measured measured = new Measured(messages, messages, 1, 0.1, 0, 0, 0, 0, 0);
            series.add(new JmsContender.Figures(measured, micros, 9));
        }
        return series;
    }

    @Test
    void fourTimesTheRateAtAQuarterOfTheTimeMeetsTheTargets() {
        List<JmsSeries> both = List.of(series("weir", 400_000, 4), series("artemis", 100_000, 16));
        assertThat(JmsFindings.ratios(both, JmsScenario.TOPIC, Chance.seeded(1)))
                .contains("4.00 [4.00, 4.00]")
                .contains("0.25 [0.25, 0.25]")
                .doesNotContain("missed")
                .containsPattern("(?s)met.*met");
    }

    @Test
    void lessMissesThem() {
        List<JmsSeries> both = List.of(series("weir", 399_000, 4.1), series("artemis", 100_000, 16));
        assertThat(JmsFindings.ratios(both, JmsScenario.QUEUE, Chance.seeded(1)))
                .containsPattern("(?s)missed.*missed")
                .doesNotContain(" met ");
    }

    @Test
    void anotherBuildIsNoPeer() {
        List<JmsSeries> same = List.of(series("weir", 99_000, 1.01), series(JmsBench.OTHER, 100_000, 1));
        assertThat(JmsFindings.ratios(same, JmsScenario.TOPIC, Chance.seeded(1)))
                .contains(">= 0.98", "<= 1.02")
                .doesNotContain("missed");
        List<JmsSeries> dearer = List.of(series("weir", 97_000, 1.03), series(JmsBench.OTHER, 100_000, 1));
        assertThat(JmsFindings.ratios(dearer, JmsScenario.TOPIC, Chance.seeded(1)))
                .containsPattern("(?s)missed.*missed");
    }

    @Test
    void onePersistentProducerIsHeldAgainstTheDisk() {
        assertThat(JmsFindings.forced(series("weir", 700, 1), 1000))
                .contains("0.70 of the 1000")
                .contains(": reached");
        assertThat(JmsFindings.forced(series("weir", 690, 1), 1000)).contains("not reached");
    }

    /** One message after the other cannot be forced more often than the disk forces: the disk was busy when it was measured. */
    @Test
    void aProducerThatIsFasterThanTheDiskWasIsNotJudged() {
        assertThat(JmsFindings.forced(series("weir", 1408, 1), 205))
                .contains("1408 messages a second")
                .contains("205 forced writes a second")
                .contains("not judged")
                .doesNotContain("reached");
        assertThat(JmsFindings.forced(series("weir", 205, 1), 205)).contains(": reached");
    }

    @Test
    void theTunedPeerHasTheTimeOfOneForcedWriteAsItsBuffersTimeOut() {
        assertThat(JmsPeer.config(Path.of("place"), 1, true, 5000))
                .contains("<journal-type>ASYNCIO</journal-type>")
                .contains("<journal-buffer-timeout>200000</journal-buffer-timeout>");
        assertThat(JmsPeer.config(Path.of("place"), 1, false, 5000))
                .contains("<journal-type>NIO</journal-type>")
                .doesNotContain("journal-buffer-timeout");
    }
}
