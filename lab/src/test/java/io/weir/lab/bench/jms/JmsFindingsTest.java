package io.weir.lab.bench.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.Chance;
import io.weir.lab.bench.process.BenchFailure;
import io.weir.lab.bench.process.Exposition;
import io.weir.lab.jmsload.Measured;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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

    /** What a journal wrote: a force of 1,536 bytes for each message, each 100 us. */
    private static JmsForces.Written writes(double forces) {
        return new JmsForces.Written(forces, forces * 1540, forces * 100e-6);
    }

    private static String forced(double rate, double probed) {
        JmsForces forces = new JmsForces("weir");
        for (int i = 0; i < 6; i++) {
            forces.add(rate, probed - 10, probed + 10, writes(rate));
        }
        return forces.text(Chance.seeded(1));
    }

    @Test
    void onePersistentProducerIsComparedWithTheDiskAsItWasBeforeAndAfterEachTurn() {
        assertThat(forced(600, 1000))
                .contains("0.60 [0.60, 0.60]", ">= 0.6", "met")
                .contains("600 messages/s at 1000 forced writes/s of 1536 bytes", "1540 bytes a force, 100 us each");
        assertThat(forced(590, 1000)).contains("missed").doesNotContain("met");
    }

    /** One message after the other cannot be forced more often than the disk forces: it was busy when it was probed. */
    @Test
    void aProducerThatIsFasterThanTheDiskWasIsNotJudged() {
        assertThat(forced(1408, 205)).contains("| open", "not judged").doesNotContain("met");
        assertThat(forced(205, 205)).contains("met").doesNotContain("not judged");
    }

    @Test
    void aDiskThatChangesBetweenTheRoundsDoesNotChangeTheRatio() {
        JmsForces forces = new JmsForces("weir");
        for (int i = 1; i <= 6; i++) {
            forces.add(700 * i, 1000 * i, 1000 * i, writes(700 * i));
        }
        assertThat(forces.text(Chance.seeded(1))).contains("0.70 [0.70, 0.70]", "met");
    }

    @Test
    void whatTheJournalWroteIsReadFromItsStatistics() throws Exception {
        Exposition figures = new Exposition("""
                # TYPE weir_journal_forces counter
                weir_journal_forces_total{journal="cluster"} 7
                weir_journal_forces_total{journal="messages"} 20
                weir_journal_bytes_total{journal="messages"} 30720
                weir_journal_force_seconds_count{journal="messages"} 20
                weir_journal_force_seconds_sum{journal="messages"} 0.004
                """);
        assertThat(JmsForces.Written.of(figures)).isEqualTo(new JmsForces.Written(20, 30720, 0.004));
        assertThatThrownBy(() -> figures.value("weir_journal_bytes_total", Map.of("journal", "other")))
                .isInstanceOf(BenchFailure.class)
                .hasMessageContaining("weir_journal_bytes_total");
        assertThatThrownBy(() -> figures.value("weir_journal_forces_total", Map.of()))
                .hasMessageContaining("several");
    }

    /** One subscriber costs 2 us a message, and each further one the given part of it. */
    private static double[][][] subscribers(double part) {
        double[][] micros = new double[5][6];
        for (int n = 0; n < 5; n++) {
            Arrays.fill(micros[n], 2 + 2 * part * ((1 << n) - 1));
        }
        return new double[][][] {micros};
    }

    @Test
    void anExtraSubscriberIsWhatTheOthersCostMoreByTheirNumber() {
        assertThat(JmsSubscribers.costs(List.of("weir"), subscribers(0.25)))
                .contains("16 subscribers")
                .contains("| weir")
                .contains("2.00", "2.50", "3.50", "5.50", "9.50");
        assertThat(JmsSubscribers.extras(List.of("weir"), subscribers(0.25), Chance.seeded(1)))
                .contains("weir, 8 subscribers", "0.25 [0.25, 0.25]", "<= 0.3", "met")
                .doesNotContain("missed");
        assertThat(JmsSubscribers.extras(List.of("weir"), subscribers(0.4), Chance.seeded(1)))
                .contains("0.40 [0.40, 0.40]", "missed")
                .doesNotContain("met");
        assertThat(JmsSubscribers.extras(List.of("artemis"), subscribers(0.4), Chance.seeded(1)))
                .doesNotContain("missed");
    }

    @ParameterizedTest
    @EnumSource(JmsIdle.Place.class)
    void idleConsumersAreJudgedByTheirResidentMemory(JmsIdle.Place place) {
        double[] least = new double[6];
        Arrays.fill(least, place.target());
        double[] more = new double[6];
        Arrays.fill(more, place.target() + 1);
        assertThat(JmsIdle.table(List.of(new JmsIdle.Series("weir", place, least, more)), Chance.seeded(1)))
                .contains(place.text() + ", weir", "met");
        assertThat(JmsIdle.table(List.of(new JmsIdle.Series("weir", place, more, least)), Chance.seeded(1)))
                .contains("missed")
                .doesNotContain("met");
    }

    @Test
    void connectionsAreCountedAsSuch() {
        List<JmsSeries> both = List.of(series("weir", 3000, 100), series("artemis", 1000, 300));
        assertThat(JmsFindings.figures(both, JmsScenario.CONNECTS)).contains("connections/s", "us/connection");
        assertThat(JmsFindings.ratios(both, JmsScenario.SESSIONS, Chance.seeded(1)))
                .contains("sessions/s, weir / artemis", "broker CPU a session")
                .doesNotContain("missed");
    }

    @Test
    void whatAMessageCostsIsCountedBySentOnesWhereSeveralReceiveIt() {
        Measured measured = new Measured(800, 100, 1, 0.1, 0, 0, 0, 0, 0);
        assertThat(new JmsContender.Figures(measured, 0.5, 9).brokerMicrosOfSent())
                .isEqualTo(4);
    }

    @Test
    void theTunedPeerHasTheTimeOfOneForcedWriteAsItsBuffersTimeOut() {
        assertThat(JmsPeer.config(Path.of("place"), 1, true, 5000, ""))
                .contains("<journal-type>ASYNCIO</journal-type>")
                .contains("<journal-buffer-timeout>200000</journal-buffer-timeout>");
        assertThat(JmsPeer.config(Path.of("place"), 1, false, 5000, ";sslEnabled=true"))
                .contains("<journal-type>NIO</journal-type>")
                .contains("protocols=CORE;sslEnabled=true</acceptor>")
                .doesNotContain("journal-buffer-timeout");
    }
}
