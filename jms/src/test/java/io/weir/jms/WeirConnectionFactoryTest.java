package io.weir.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.jms.client.settings.AcknowledgePolicy;
import io.weir.jms.client.settings.ClientIdPolicy;
import io.weir.jms.client.settings.ClientKnobs;
import io.weir.jms.client.settings.DefaultDeliveryMode;
import io.weir.jms.client.settings.OneWaySendMode;
import io.weir.jms.client.settings.PrefetchMode;
import io.weir.jms.client.settings.ReconnectPolicy;
import io.weir.jms.client.settings.SubscriptionSharingPolicy;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Connection factories from URLs and setters. */
class WeirConnectionFactoryTest {
    @Test
    void theDefaultsAreThoseOfTheReference() {
        ClientKnobs k = new WeirConnectionFactory().knobs();
        assertThat(k.messagesMaximum()).isEqualTo(10);
        assertThat(k.synchronousPrefetchMode()).isEqualTo(PrefetchMode.DISABLED);
        assertThat(k.oneWaySendMode()).isEqualTo(OneWaySendMode.DISABLED);
        assertThat(k.oneWaySendWindowSize()).isEqualTo(1);
        assertThat(k.acknowledgePolicy()).isEqualTo(AcknowledgePolicy.ALL);
        assertThat(k.allowCloseInOnMessage()).isFalse();
        assertThat(k.clientIdPolicy()).isEqualTo(ClientIdPolicy.RESTRICTED);
        assertThat(k.subscriptionSharingPolicy()).isEqualTo(SubscriptionSharingPolicy.EXCLUSIVE);
        assertThat(k.reconnectPolicy()).isEqualTo(ReconnectPolicy.PRODUCER);
        assertThat(k.reconnectBlockingMillis()).isEqualTo(60_000);
        assertThat(k.totalReconnectPeriodMillis()).isEqualTo(-1);
        assertThat(k.defaultDeliveryMode()).isEqualTo(DefaultDeliveryMode.PERSISTENT);
        assertThat(k.defaultPriority()).isEqualTo(4);
        assertThat(k.sendTimeout()).isEqualTo(10);
        assertThat(k.clientThreadPoolSize()).isEqualTo(32);
        assertThat(k).isEqualTo(ClientKnobs.defaults());
    }

    @Test
    void optionsOfTheUrlAreKnobsInKebabCase() {
        WeirConnectionFactory f = new WeirConnectionFactory(
                "weir://one:7001,two:7002?messages-maximum=300"
                        + "&synchronous-prefetch-mode=topicSubscriberOnly&one-way-send-mode=topicOnly&user=anna&password=s%26t");
        assertThat(f.knobs().messagesMaximum()).isEqualTo(300);
        assertThat(f.knobs().synchronousPrefetchMode()).isEqualTo(PrefetchMode.TOPIC_SUBSCRIBER_ONLY);
        assertThat(f.knobs().oneWaySendMode()).isEqualTo(OneWaySendMode.TOPIC_ONLY);
        assertThat(f.getUser()).isEqualTo("anna");
        assertThat(f.getUrl()).isEqualTo("weir://one:7001,two:7002");
        assertThat(f.toString()).doesNotContain("s&t");
    }

    @Test
    void anUnknownOptionIsRefusedWithTheNearestKnownOne() {
        assertThatThrownBy(() -> new WeirConnectionFactory("weir://h?mesages-maximum=1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("messages-maximum");
        assertThatThrownBy(() -> new WeirConnectionFactory("weir://h?messages-maximum=many"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new WeirConnectionFactory("tcp://h"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("weir://");
    }

    @Test
    void everyKnobHasASetter() {
        WeirConnectionFactory f = new WeirConnectionFactory();
        f.setMessagesMaximum(-1);
        f.setMessagesMaximumBytes(2048);
        f.setSynchronousPrefetchMode(PrefetchMode.TOPIC_SUBSCRIBER_ONLY);
        f.setOneWaySendMode(OneWaySendMode.TOPIC_ONLY);
        f.setOneWaySendWindowSize(7);
        f.setAcknowledgePolicy(AcknowledgePolicy.PREVIOUS);
        f.setAllowCloseInOnMessage(true);
        f.setClientIdPolicy(ClientIdPolicy.UNRESTRICTED);
        f.setSubscriptionSharingPolicy(SubscriptionSharingPolicy.SHARABLE);
        f.setReconnectPolicy(ReconnectPolicy.ALL);
        f.setReconnectBlockingMillis(1);
        f.setTotalReconnectPeriodMillis(2);
        f.setDefaultDeliveryMode(DefaultDeliveryMode.NON_PERSISTENT);
        f.setDefaultPriority(9);
        f.setDefaultTimeToLive(3);
        f.setDefaultTimeToDeliver(4);
        f.setDefaultRedeliveryDelay(5);
        f.setSendTimeout(6);
        f.setMaximumMessageSize(4096);
        f.setClientThreadPoolSize(8);
        f.setClientId("id");
        f.setDeserializationAllowList(List.of("a.*", "b.C"));
        f.setConnectTimeoutMillis(9);
        ClientKnobs k = f.knobs();
        ClientKnobs untouched = ClientKnobs.defaults();
        for (var component : ClientKnobs.class.getRecordComponents()) {
            assertThat(read(component, k)).as(component.getName()).isNotEqualTo(read(component, untouched));
        }
        assertThat(k.deserializationAllowList()).containsExactly("a.*", "b.C");
    }

    private static Object read(java.lang.reflect.RecordComponent component, ClientKnobs knobs) {
        try {
            return component.getAccessor().invoke(knobs);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    @Test
    void aSetterThatIsRefusedChangesNothing() {
        WeirConnectionFactory f = new WeirConnectionFactory();
        assertThatThrownBy(() -> f.setDefaultPriority(10)).isInstanceOf(IllegalArgumentException.class);
        assertThat(f.knobs().defaultPriority()).isEqualTo(4);
    }
}
