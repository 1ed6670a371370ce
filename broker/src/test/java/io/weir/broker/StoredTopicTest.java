package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.broker.report.BrokerMessages;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Topic;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A topic that was removed, and is added again while the broker runs, does not cost its stored subscriptions. */
class StoredTopicTest {
    private static final String TOPIC = "topics.news.jndi-name=";
    private static final long WAIT_MILLIS = 60_000;

    @TempDir
    private Path journal = Path.of("");

    private static JMSConsumer subscriber(JMSContext context) {
        Topic topic = context.createTopic("news");
        return context.createDurableConsumer(topic, "d");
    }

    private static JMSContext client(RealBroker broker) {
        JMSContext context = broker.factory().createContext();
        context.setClientID("app");
        return context;
    }

    @Test
    void aSubscriptionOfTheStoreIsNotReplacedByANewOne() throws Exception {
        try (RealBroker broker = new RealBroker(journal, TOPIC);
                JMSContext context = client(broker)) {
            subscriber(context).close();
            context.createProducer().send(context.createTopic("news"), "important");
        }
        try (RealBroker broker = new RealBroker(journal);
                JMSContext context = client(broker)) {
            broker.config.set(Bench.bind(List.of("queues.q.jndi-name=", "topics.t.jndi-name=", TOPIC)));
            broker.config.set(Bench.bind(
                    List.of("queues.q.jndi-name=", "topics.t.jndi-name=", TOPIC, "queues.q.maximum-message-size=9")));
            assertThat(broker.log.count(BrokerMessages.FROM_THE_NEXT_START))
                    .as("said once, not with each change")
                    .isOne();
            assertThatThrownBy(() -> subscriber(context))
                    .isInstanceOf(InvalidDestinationRuntimeException.class)
                    .hasMessageContaining("exists from the server's next start");
        }
        try (RealBroker broker = new RealBroker(journal, TOPIC);
                JMSContext context = client(broker)) {
            assertThat(subscriber(context).receiveBody(String.class, WAIT_MILLIS))
                    .isEqualTo("important");
        }
    }

    @Test
    void aTopicWithoutAnySubscriptionInTheStoreComesAtOnce() throws Exception {
        try (RealBroker broker = new RealBroker(journal);
                JMSContext context = client(broker)) {
            broker.config.set(Bench.bind(List.of("queues.q.jndi-name=", "topics.t.jndi-name=", TOPIC)));
            subscriber(context).close();
        }
    }
}
