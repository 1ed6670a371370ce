package io.weir.lab.bench.jms;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.bench.BenchLine;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class JmsBenchCommandTest {
    @Test
    void withoutOptionsTopicAndQueueAreMeasuredAgainstThePeer() {
        assertThat(BenchLine.jms(""))
                .isEqualTo(new JmsBenchOptions(
                        List.of(JmsScenario.TOPIC, JmsScenario.QUEUE), 10, 3, 0, true, false, 1, null));
    }

    @Test
    void scenariosAreTakenInTheOrderOfTheCommandLine() {
        assertThat(
                        BenchLine.jms(
                                " --scenario persistent-8,topic-sync --rounds 6 --seconds 2 --rate 70 --peers none --seed -4 --install"))
                .isEqualTo(new JmsBenchOptions(
                        List.of(JmsScenario.PERSISTENT_8, JmsScenario.TOPIC_SYNC), 6, 2, 70, false, true, -4, null));
        assertThat(BenchLine.jms(" --peers artemis").artemis()).isTrue();
        assertThat(BenchLine.jms(" --install-peers").install()).isTrue();
    }

    @Test
    void anotherBuildCanTakePart() {
        assertThat(BenchLine.jms(" --against ../before").against()).isEqualTo(Path.of("../before"));
    }

    @Test
    void connectionsSubscribersAndIdleConsumersAreScenarios() {
        assertThat(BenchLine.jms(
                                " --scenario extra-subscriber,extra-subscriber-shared,connects,connects-tls,sessions,idle-consumers")
                        .scenarios())
                .containsExactly(
                        JmsScenario.EXTRA_SUBSCRIBER,
                        JmsScenario.EXTRA_SUBSCRIBER_SHARED,
                        JmsScenario.CONNECTS,
                        JmsScenario.CONNECTS_TLS,
                        JmsScenario.SESSIONS,
                        JmsScenario.IDLE_CONSUMERS);
    }

    @Test
    void allAreAll() {
        assertThat(BenchLine.jms(" --scenario all").scenarios()).containsExactly(JmsScenario.values());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--scenario topics | `topics` is none of topic, topic-sync, queue, queue-sync,",
                "--scenario topic, | `` is none of topic,",
                "--scenario extra-subscribers | `extra-subscribers` is none of topic,",
                "--rounds 0 | --rounds takes 1 to 1000, not 0",
                "--rounds | option '--rounds' (N)",
                "--seconds 601 | --seconds takes 1 to 600, not 601",
                "--rate 0 | --rate takes 1 to 1000000, not 0",
                "--rate 1.5 | option '--rate': '1.5' is not a long",
                "--peers rabbitmq | `rabbitmq` is none of artemis, none",
                "--fast | unknown option: --fast; there are --scenario, --rounds, --seconds, --peers, --rate, --seed, --install",
                "--size 1k | unknown option: --size"
            })
    void whatIsWrongIsNamed(String words, String message) {
        BenchLine line = BenchLine.of("jms " + words);
        assertThat(line.code()).isEqualTo(2);
        assertThat(line.err()).startsWith("weir: ").contains(message, "Usage: weir bench jms");
        assertThat(line.asks()).isFalse();
    }

    @Test
    void helpShowsEachOptionWithItsUnitAndDefault() {
        BenchLine line = BenchLine.of("jms -h");
        assertThat(line.code()).isZero();
        assertThat(line.out().replaceAll("\\s+", " "))
                .contains("of topic, topic-sync, queue,", "case-study, or all (default: topic,queue)")
                .contains("1 to 1000 (default: 10)")
                .contains("in seconds, 1 to 600 (default: 3)")
                .contains("(default: artemis)")
                .contains("questions a second of paced");
    }
}
