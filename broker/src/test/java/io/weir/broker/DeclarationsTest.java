package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.KnobCatalogue;
import io.weir.base.KnobSpec;
import io.weir.base.Severity;
import io.weir.base.StatSpec;
import io.weir.broker.config.ConnectionFactoryConfig;
import io.weir.broker.config.DestinationConfig;
import io.weir.broker.config.MessagingConfig;
import io.weir.broker.config.QuotaConfig;
import io.weir.broker.report.BrokerMessages;
import io.weir.broker.report.BrokerStats;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class DeclarationsTest {
    @Test
    void everyKnobHasADocAndItsCountersExist() {
        Set<String> counters =
                BrokerStats.ALL.stream().map(StatSpec::exposedName).collect(Collectors.toSet());
        for (KnobSpec spec : KnobCatalogue.of(MessagingConfig.class).knobs()) {
            assertThat(spec.knob().doc()).as(spec.key()).isNotBlank();
            if (!spec.key().startsWith("wire.") && !spec.key().startsWith("journal.")) {
                assertThat(counters)
                        .as(spec.key())
                        .containsAll(Arrays.asList(spec.knob().watch()));
            }
        }
    }

    @Test
    void weblogicsDefaultsAreKept() {
        MessagingConfig c = Bench.bind(List.of(
                "queues.q.jndi-name=", "quotas.u.policy=fifo", "connection-factories.f.client.messages-maximum=10"));
        ConnectionFactoryConfig factory =
                Objects.requireNonNull(c.connectionFactories().get("f"));
        assertThat(factory.delivery().sendTimeout()).isEqualTo(10);
        assertThat(factory.flow().oneWaySendWindowSize()).isEqualTo(1);
        DestinationConfig q = Objects.requireNonNull(c.queues().get("q"));
        assertThat(q.deliveryFailure().redeliveryLimit()).isEqualTo(-1);
        assertThat(q.messagingPerformancePreference()).isEqualTo(25);
        QuotaConfig quota = Objects.requireNonNull(c.quotas().get("u"));
        assertThat(quota.messagesMaximum()).isEqualTo(Long.MAX_VALUE);
        assertThat(quota.shared()).isTrue();
        assertThat(c.jmsServer().expirationScanInterval()).hasSeconds(30);
        assertThat(c.jmsServer().maximumMessageSize()).isEqualTo(Integer.MAX_VALUE);
        assertThat(c.jmsServer().allowsPersistentDowngrade()).isFalse();
    }

    @Test
    void everyStatisticIsInTheListOnce() throws IllegalAccessException {
        List<StatSpec> declared = new ArrayList<>();
        for (var field : BrokerStats.class.getDeclaredFields()) {
            if (field.getType() == StatSpec.class && Modifier.isStatic(field.getModifiers())) {
                declared.add((StatSpec) field.get(null));
            }
        }
        assertThat(BrokerStats.ALL).containsExactlyInAnyOrderElementsOf(declared);
        assertThat(BrokerStats.ALL).extracting(StatSpec::name).doesNotHaveDuplicates();
    }

    @Test
    void messagesHaveNumbersOfTheirOwnAndWarningsARemedy() {
        assertThat(BrokerMessages.values()).extracting(BrokerMessages::id).doesNotHaveDuplicates();
        for (BrokerMessages m : BrokerMessages.values()) {
            if (m.severity().compareTo(Severity.WARNING) <= 0) {
                assertThat(m.remedy()).as(m.name()).isNotBlank();
            }
        }
    }
}
