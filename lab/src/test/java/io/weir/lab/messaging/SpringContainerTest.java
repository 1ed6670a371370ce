package io.weir.lab.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.jms.listener.AbstractMessageListenerContainer;
import org.springframework.jms.listener.DefaultMessageListenerContainer;
import org.springframework.jms.listener.SimpleMessageListenerContainer;
import org.springframework.util.backoff.FixedBackOff;

/** Spring's listener containers against a whole server: every message is accepted exactly once. */
@Timeout(300)
@Tag("slow")
class SpringContainerTest {
    @RegisterExtension
    static final OneServer SERVER = new OneServer();

    private final List<Runnable> closing = new ArrayList<>();
    private ConnectionFactory factory = SERVER.factory();
    private final AtomicInteger errors = new AtomicInteger();

    @TempDir
    private Path home = Path.of("");

    @BeforeEach
    void connect() {
        factory = caching(SERVER.factory());
    }

    @AfterEach
    void close() {
        closing.reversed().forEach(Runnable::run);
    }

    private CachingConnectionFactory caching(ConnectionFactory of) {
        CachingConnectionFactory caching = new CachingConnectionFactory(of);
        caching.setCacheConsumers(false);
        closing.add(caching::destroy);
        return caching;
    }

    private void send(ConnectionFactory to, String destination, int count) {
        send(to, destination, "m", count);
    }

    private void send(ConnectionFactory to, String destination, String prefix, int count) {
        JmsTemplate template = new JmsTemplate(to);
        template.setPubSubDomain(destination.equals("t"));
        for (String text : Arrivals.numbered(prefix, count)) {
            template.convertAndSend(destination, text);
        }
    }

    private DefaultMessageListenerContainer polling(ConnectionFactory of) {
        DefaultMessageListenerContainer container = new DefaultMessageListenerContainer();
        container.setConnectionFactory(of);
        container.setDestinationName("q");
        container.setReceiveTimeout(100);
        container.setBackOff(new FixedBackOff(20, FixedBackOff.UNLIMITED_ATTEMPTS));
        container.setErrorHandler(_ -> errors.incrementAndGet());
        return container;
    }

    private SimpleMessageListenerContainer pushed(ConnectionFactory of) {
        SimpleMessageListenerContainer container = new SimpleMessageListenerContainer();
        container.setConnectionFactory(of);
        container.setDestinationName("q");
        container.setErrorHandler(_ -> errors.incrementAndGet());
        return container;
    }

    private void run(AbstractMessageListenerContainer container, Object listener) {
        container.setMessageListener(listener);
        container.afterPropertiesSet();
        container.start();
        closing.add(container::shutdown);
    }

    private void nothingIsLeft() {
        try (JMSContext c = SERVER.factory().createContext()) {
            assertThat(c.createConsumer(c.createQueue("q")).receiveNoWait()).isNull();
        }
    }

    @Test
    void threePollingConsumersAcceptEveryMessageOnceAndFailedOnesAgain() {
        DefaultMessageListenerContainer container = polling(factory);
        container.setConcurrency("3");
        container.setSessionTransacted(true);
        Failing listener = new Failing(10);
        run(container, listener);
        send(factory, "q", 200);
        listener.accepted.awaitOnce("m", 200);
        assertThat(listener.wrong()).isEmpty();
        assertThat(listener.failures).hasValue(20);
        assertThat(errors).hasValue(20);
        container.shutdown();
        nothingIsLeft();
    }

    @Test
    void threeListenersAcceptEveryMessageOnceAndFailedOnesAgain() {
        SimpleMessageListenerContainer container = pushed(factory);
        container.setConcurrency("3");
        container.setSessionTransacted(true);
        Failing listener = new Failing(10);
        run(container, listener);
        send(factory, "q", 200);
        listener.accepted.awaitOnce("m", 200);
        assertThat(listener.wrong()).isEmpty();
        assertThat(listener.failures).hasValue(20);
        container.shutdown();
        nothingIsLeft();
    }

    @Test
    void acknowledgingContainersAcceptEveryMessageOnce() {
        Arrivals arrivals = new Arrivals();
        DefaultMessageListenerContainer one = polling(factory);
        one.setConcurrency("1-3");
        one.setSessionAcknowledgeMode(jakarta.jms.Session.CLIENT_ACKNOWLEDGE);
        run(one, arrivals);
        SimpleMessageListenerContainer other = pushed(caching(SERVER.factory()));
        other.setConcurrency("3");
        run(other, arrivals);
        send(factory, "q", 200);
        arrivals.awaitOnce("m", 200);
        one.shutdown();
        other.shutdown();
        nothingIsLeft();
        assertThat(arrivals.texts()).hasSize(200);
    }

    @Test
    void aDurableSubscriptionKeepsWhatComesWhileTheContainerIsStopped() {
        DefaultMessageListenerContainer container = polling(SERVER.factory("client-id=spring"));
        container.setDestinationName("t");
        container.setPubSubDomain(true);
        container.setSubscriptionDurable(true);
        container.setDurableSubscriptionName("kept");
        Arrivals arrivals = new Arrivals();
        run(container, arrivals);
        Await.until(
                "subscribed", () -> container.getActiveConsumerCount() == 1 && container.isRegisteredWithDestination());
        send(factory, "t", 3);
        arrivals.awaitOnce("m", 3);
        container.shutdown();
        send(factory, "t", 5);
        DefaultMessageListenerContainer again = polling(SERVER.factory("client-id=spring"));
        again.setDestinationName("t");
        again.setPubSubDomain(true);
        again.setSubscriptionDurable(true);
        again.setDurableSubscriptionName("kept");
        Arrivals later = new Arrivals();
        run(again, later);
        later.awaitOnce("m", 5);
        again.shutdown();
        try (JMSContext c = SERVER.factory("client-id=spring").createContext()) {
            c.unsubscribe("kept");
        }
    }

    @Test
    void aStoppedContainerTakesNothingAndAStartedOneGoesOn() {
        DefaultMessageListenerContainer container = polling(factory);
        container.setConcurrency("3");
        Arrivals arrivals = new Arrivals();
        run(container, arrivals);
        send(factory, "q", 10);
        arrivals.awaitOnce("m", 10);
        Arrivals stopped = new Arrivals();
        container.stop(() -> stopped.add("stopped"));
        stopped.await(1);
        send(factory, "q", 20);
        assertThat(arrivals.texts()).hasSize(10);
        container.start();
        arrivals.await(30);
        container.shutdown();
        nothingIsLeft();
        assertThat(arrivals.texts()).hasSize(30);
    }

    @Test
    void aPollingContainerRecoversWhenTheServerIsStartedAgain() {
        try (MessagingServer own = MessagingServer.start(home)) {
            DefaultMessageListenerContainer container = polling(own.factory());
            container.setConcurrency("3");
            container.setSessionTransacted(true);
            Arrivals arrivals = new Arrivals();
            run(container, arrivals);
            send(own.factory(), "q", 20);
            arrivals.awaitOnce("m", 20);
            own.stop();
            own.startAgain();
            send(own.factory(), "q", "n", 40);
            arrivals.awaitAtLeastOnce("n", 40);
            container.shutdown();
            // the last commit before the end may not have arrived, those after it did
            assertThat(arrivals.texts().stream().filter(t -> t.startsWith("n")))
                    .containsExactlyInAnyOrderElementsOf(Arrivals.numbered("n", 40));
        }
    }

    @Test
    void aListeningContainerComesBackWithTheClientsOwnReconnection() {
        try (MessagingServer own = MessagingServer.start(home)) {
            SimpleMessageListenerContainer container = pushed(own.factory("reconnect-policy=all"));
            container.setConcurrency("3");
            container.setSessionTransacted(true);
            Arrivals arrivals = new Arrivals();
            run(container, arrivals);
            send(own.factory(), "q", 20);
            arrivals.awaitOnce("m", 20);
            own.stop();
            own.startAgain();
            send(own.factory(), "q", "n", 40);
            arrivals.awaitAtLeastOnce("n", 40);
            container.shutdown();
            // the last commit before the end may not have arrived, those after it did
            assertThat(arrivals.texts().stream().filter(t -> t.startsWith("n")))
                    .containsExactlyInAnyOrderElementsOf(Arrivals.numbered("n", 40));
        }
    }
}
