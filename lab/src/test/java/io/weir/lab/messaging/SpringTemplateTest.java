package io.weir.lab.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Message;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jms.InvalidDestinationException;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.connection.JmsTransactionManager;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** Spring's JmsTemplate over its caching connection factory, against a whole server. */
@Timeout(300)
class SpringTemplateTest {
    @RegisterExtension
    static final OneServer SERVER = new OneServer();

    private final CachingConnectionFactory caching = new CachingConnectionFactory(SERVER.factory());
    private final JmsTemplate template = new JmsTemplate(caching);

    SpringTemplateTest() {
        template.setReceiveTimeout(20_000);
    }

    @AfterEach
    void close() {
        caching.destroy();
    }

    private List<String> browsed() {
        List<String> texts = new ArrayList<>();
        template.browse("q", (_, browser) -> {
            for (Enumeration<?> all = browser.getEnumeration(); all.hasMoreElements(); ) {
                texts.add(((TextMessage) all.nextElement()).getText());
            }
            return null;
        });
        return texts;
    }

    private void willNotWait() {
        template.setReceiveTimeout(JmsTemplate.RECEIVE_TIMEOUT_NO_WAIT);
    }

    @Test
    void whatIsSentIsReceivedOnce() throws Exception {
        template.send("q", s -> s.createTextMessage("hello"));
        TextMessage got = (TextMessage) Objects.requireNonNull(template.receive("q"));
        assertThat(got.getText()).isEqualTo("hello");
        willNotWait();
        assertThat(template.receive("q")).isNull();
    }

    @Test
    void objectsAreConvertedBothWays() {
        template.convertAndSend("q", "text");
        template.convertAndSend("q", new byte[] {1, 2});
        template.convertAndSend("q", Map.of("a", 1));
        assertThat(template.receiveAndConvert("q")).isEqualTo("text");
        assertThat(template.receiveAndConvert("q")).isEqualTo(new byte[] {1, 2});
        assertThat(template.receiveAndConvert("q")).isEqualTo(Map.of("a", 1));
    }

    @Test
    void aPostProcessorSetsWhatASelectorFinds() {
        for (String colour : List.of("red", "blue")) {
            template.convertAndSend("q", (Object) colour, m -> {
                m.setStringProperty("colour", colour);
                return m;
            });
        }
        assertThat(template.receiveSelectedAndConvert("q", "colour = 'blue'")).isEqualTo("blue");
        assertThat(template.receiveSelectedAndConvert("q", "colour = 'red'")).isEqualTo("red");
    }

    @Test
    void aRequestGetsItsReply() throws Exception {
        JmsTemplate replying = new JmsTemplate(SERVER.factory());
        replying.setReceiveTimeout(20_000);
        CompletableFuture<Void> service = CompletableFuture.runAsync(() -> {
            Message request = Objects.requireNonNull(replying.receive("q"));
            replying.execute(s -> {
                Message reply = s.createTextMessage("re: " + request.getBody(String.class));
                s.createProducer(request.getJMSReplyTo()).send(reply);
                return null;
            });
        });
        Message reply = Objects.requireNonNull(template.sendAndReceive("q", s -> s.createTextMessage("ping")));
        assertThat(reply.getBody(String.class)).isEqualTo("re: ping");
        service.get(3, TimeUnit.MINUTES);
    }

    @Test
    void browsingTakesNothing() {
        for (String text : Arrivals.numbered("m", 5)) {
            template.convertAndSend("q", text);
        }
        assertThat(browsed()).isEqualTo(Arrivals.numbered("m", 5));
        assertThat(browsed()).hasSize(5);
        assertThat(template.receiveAndConvert("q")).isEqualTo("m0");
        assertThat(browsed()).hasSize(4);
    }

    @Test
    void priorityTimeToLiveAndDeliveryModeAreThoseOfTheTemplate() throws Exception {
        template.setExplicitQosEnabled(true);
        template.setPriority(7);
        template.setTimeToLive(100_000);
        template.setDeliveryPersistent(false);
        template.convertAndSend("q", "x");
        Message got = Objects.requireNonNull(template.receive("q"));
        assertThat(got.getJMSPriority()).isEqualTo(7);
        assertThat(got.getJMSDeliveryMode()).isEqualTo(jakarta.jms.DeliveryMode.NON_PERSISTENT);
        assertThat(got.getJMSExpiration() - got.getJMSTimestamp()).isEqualTo(100_000);
    }

    @Test
    void aTransactedTemplateSendsAllOrNothing() {
        template.setSessionTransacted(true);
        assertThatThrownBy(() -> template.execute(s -> {
                    s.createProducer(s.createQueue("q")).send(s.createTextMessage("never"));
                    throw new IllegalArgumentException("on purpose");
                }))
                .hasMessage("on purpose");
        template.convertAndSend("q", "committed");
        assertThat(template.receiveAndConvert("q")).isEqualTo("committed");
        willNotWait();
        assertThat(template.receive("q")).isNull();
    }

    @Test
    void aTransactionRollsSendsAndReceivesBack() {
        template.convertAndSend("q", "in");
        TransactionTemplate transaction = new TransactionTemplate(new JmsTransactionManager(caching));
        transaction.executeWithoutResult(status -> {
            assertThat(template.receiveAndConvert("q")).isEqualTo("in");
            template.convertAndSend("r", "out");
            status.setRollbackOnly();
        });
        willNotWait();
        assertThat(template.receive("r")).isNull();
        template.setReceiveTimeout(20_000);
        transaction.executeWithoutResult(_ -> {
            assertThat(template.receiveAndConvert("q")).isEqualTo("in");
            template.convertAndSend("r", "out");
        });
        assertThat(template.receiveAndConvert("r")).isEqualTo("out");
    }

    @Test
    void clientAcknowledgementIsDoneByTheTemplate() {
        template.setSessionAcknowledgeMode(Session.CLIENT_ACKNOWLEDGE);
        template.convertAndSend("q", "once");
        assertThat(template.receiveAndConvert("q")).isEqualTo("once");
        caching.resetConnection();
        willNotWait();
        assertThat(template.receive("q")).isNull();
    }

    @Test
    void anUnknownDestinationIsToldAsSpringTellsIt() {
        assertThatThrownBy(() -> template.convertAndSend("nowhere", "x"))
                .isInstanceOf(InvalidDestinationException.class)
                .hasMessageContaining("nowhere");
    }

    @Test
    void manyMessagesThroughCachedSessionsAreThereOnce() {
        for (String text : Arrivals.numbered("m", 300)) {
            template.convertAndSend("q", text);
        }
        List<Object> got = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            got.add(template.receiveAndConvert("q"));
        }
        assertThat(got).isEqualTo(Arrivals.numbered("m", 300));
        willNotWait();
        assertThat(template.receive("q")).isNull();
    }
}
