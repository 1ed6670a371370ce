package io.weir.lab.bench.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.lab.bench.http.OptionError;
import java.util.List;
import org.junit.jupiter.api.Test;

class JmsOptionsTest {
    @Test
    void withoutOptionsTopicAndQueueAreMeasuredAgainstThePeer() throws OptionError {
        JmsOptions options = JmsOptions.parse(List.of());
        assertThat(options.scenarios()).containsExactly(JmsScenario.TOPIC, JmsScenario.QUEUE);
        assertThat(options.rounds()).isEqualTo(10);
        assertThat(options.artemis()).isTrue();
    }

    @Test
    void scenariosAreTakenInTheOrderOfTheCommandLine() throws OptionError {
        JmsOptions options = JmsOptions.parse(
                List.of("--scenario", "persistent-8,topic-sync", "--rounds", "6", "--peers", "none", "--seed", "-4"));
        assertThat(options.scenarios()).containsExactly(JmsScenario.PERSISTENT_8, JmsScenario.TOPIC_SYNC);
        assertThat(options.rounds()).isEqualTo(6);
        assertThat(options.artemis()).isFalse();
        assertThat(options.seed()).isEqualTo(-4);
    }

    @Test
    void allAreAll() throws OptionError {
        assertThat(JmsOptions.parse(List.of("--scenario", "all")).scenarios()).containsExactly(JmsScenario.values());
    }

    @Test
    void whatIsWrongIsNamed() {
        assertThatThrownBy(() -> JmsOptions.parse(List.of("--scenario", "topics")))
                .isInstanceOf(OptionError.class)
                .hasMessageContaining("topics")
                .hasMessageContaining("topic-sync");
        assertThatThrownBy(() -> JmsOptions.parse(List.of("--rounds", "0"))).hasMessageContaining("1 to 1000");
        assertThatThrownBy(() -> JmsOptions.parse(List.of("--rounds"))).hasMessageContaining("takes a value");
        assertThatThrownBy(() -> JmsOptions.parse(List.of("--peers", "rabbitmq")))
                .hasMessageContaining("rabbitmq");
        assertThatThrownBy(() -> JmsOptions.parse(List.of("--fast"))).hasMessageContaining("--fast");
    }
}
