package io.weir.jms.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.jms.WeirConnectionFactory;
import io.weir.jms.client.link.Runtimes;
import io.weir.jms.client.link.Target;
import io.weir.jms.client.settings.ClientKnobs;
import io.weir.jms.client.settings.Domain;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.RefusalCode;
import io.weir.jms.message.WeirQueue;
import io.weir.jms.message.WeirTopic;
import io.weir.wire.client.WireUrl;
import io.weir.wire.login.Credentials;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.QueueRequestor;
import jakarta.jms.QueueSession;
import jakarta.jms.ServerSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import jakarta.jms.TopicSession;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections, sessions of the domains, browsers, temporary destinations, subscriptions. */
class ConnectionTest {
    private static final WeirQueue DEMO = new WeirQueue("demo");
    private static final WeirTopic NEWS = new WeirTopic("news");

    private final FakeBroker broker = new FakeBroker();

    @AfterEach
    void close() {
        broker.close();
    }

    @Test
    void aWrongPasswordIsASecurityException() {
        Target target =
                new Target(WireUrl.parse(broker.url()), new Credentials("anna", "wrong"), ClientKnobs.defaults());
        assertThatThrownBy(() -> ClientConnection.connect(target, Domain.UNIFIED))
                .isInstanceOf(JMSSecurityException.class);
    }

    @Test
    @Timeout(300)
    void aServerThatSaysNothingIsGivenUpAfterTheConnectTimeOutAndTheNextOneIsTried() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            String dead = "127.0.0.1:" + silent.getLocalPort();
            ConnectionFactory both =
                    new WeirConnectionFactory(broker.url() + "," + dead + "?connect-timeout-millis=100");
            both.createConnection().close();
            ConnectionFactory first = new WeirConnectionFactory(
                    broker.url().replace("weir://", "weir://" + dead + ",") + "?connect-timeout-millis=100");
            first.createConnection().close();
            ConnectionFactory only = new WeirConnectionFactory("weir://" + dead + "?connect-timeout-millis=100");
            assertThatThrownBy(only::createConnection).hasMessageContaining("within 100 ms");
        }
    }

    @Test
    void nobodyListeningIsSaidWithTheAddress() {
        broker.stopListening();
        assertThatThrownBy(() -> Clients.connect(broker))
                .isExactlyInstanceOf(JMSException.class)
                .hasMessageContaining(broker.url().substring("weir://".length()));
    }

    @Test
    void theProviderIsOfJakartaMessaging31() throws Exception {
        try (ClientConnection c = Clients.connect(broker)) {
            assertThat(c.getMetaData().getJMSVersion()).isEqualTo("3.1");
            ConnectionMetaData about = c.getMetaData();
            String version =
                    Files.readString(Path.of("pom.xml")).replaceFirst("(?s).*?<version>(.*?)</version>.*", "$1");
            assertThat(about.getProviderVersion()).isEqualTo(version);
            assertThat(version)
                    .startsWith(about.getProviderMajorVersion() + "." + about.getProviderMinorVersion() + ".");
            assertThat(Listed.of(c.getMetaData().getJMSXPropertyNames()))
                    .asString()
                    .contains("JMSXGroupID", "JMSXGroupSeq", "JMSXDeliveryCount");
        }
    }

    @Test
    void aClientIdentifierIsSetBeforeAnythingElseAndOnce() throws Exception {
        try (ClientConnection c = Clients.connect(broker)) {
            assertThat(c.getClientID()).isNull();
            assertThatThrownBy(() -> c.setClientID("")).isInstanceOf(InvalidClientIDException.class);
            c.setClientID("me");
            assertThat(c.getClientID()).isEqualTo("me");
            assertThatThrownBy(() -> c.setClientID("you")).isInstanceOf(IllegalStateException.class);
        }
        try (ClientConnection c = Clients.connect(broker)) {
            c.createSession();
            assertThatThrownBy(() -> c.setClientID("late")).isInstanceOf(IllegalStateException.class);
        }
        try (ClientConnection c = Clients.connect(broker, "client-id=configured")) {
            assertThatThrownBy(() -> c.setClientID("other")).isInstanceOf(IllegalStateException.class);
        }
        assertThat(broker.heard(FrameType.SET_CLIENT_ID)).containsExactly("me", "configured");
    }

    @Test
    @Timeout(300)
    void closeReturnsWhenTheServerHasFreedWhatTheConnectionHeld() throws Exception {
        broker.freeingMillis = 100;
        ClientConnection c = Clients.connect(broker, "client-id=me");
        c.createSession();
        c.close();
        assertThat(broker.freed).hasValue(1);
    }

    @Test
    void aClientIdentifierInUseIsRefusedAndThePolicyIsTold() throws Exception {
        broker.refuse(FrameType.SET_CLIENT_ID, RefusalCode.INVALID_CLIENT_ID, "in use");
        assertThatThrownBy(() -> Clients.connect(broker, "client-id=me")).isInstanceOf(InvalidClientIDException.class);
        FakeBroker.await("its connection to close", broker.peers::isEmpty);
        try (ClientConnection c = Clients.connect(broker, "client-id=me", "client-id-policy=unrestricted")) {
            assertThat(c.getClientID()).isEqualTo("me");
            assertThat(broker.heard(FrameType.SET_CLIENT_ID).getLast()).isEqualTo("me unrestricted");
        }
    }

    @Test
    void sessionsTellTheBrokerTheirModeAndWindow() throws Exception {
        try (ClientConnection c = Clients.connect(
                broker, "messages-maximum=300", "messages-maximum-bytes=1MiB", "default-redelivery-delay=7")) {
            c.createSession(false, Session.DUPS_OK_ACKNOWLEDGE);
            assertThat(broker.heard(FrameType.OPEN_SESSION).getFirst())
                    .contains("acknowledgeMode=3", "windowMessages=300", "windowBytes=1048576", "redeliveryDelay=7");
        }
        try (ClientConnection c = Clients.connect(broker, "messages-maximum=-1")) {
            c.createSession();
            assertThat(broker.heard(FrameType.OPEN_SESSION).getLast()).contains("windowMessages=-1", "windowBytes=-1");
        }
    }

    @Test
    void wrongSessionModesAreRefused() throws Exception {
        try (ClientConnection c = Clients.connect(broker)) {
            assertThatThrownBy(() -> c.createSession(17)).isInstanceOf(JMSException.class);
            assertThatThrownBy(() -> c.createSession(128)).hasMessageContaining("multicast");
            assertThatThrownBy(() -> c.createSession(false, Session.SESSION_TRANSACTED))
                    .isInstanceOf(JMSException.class);
            assertThat(c.createSession(true, 17).getTransacted()).isTrue();
        }
    }

    @Test
    void whatIsClosedRefusesAndClosesAgainQuietly() throws Exception {
        ClientConnection c = Clients.connect(broker);
        Session s = c.createSession();
        MessageProducer p = s.createProducer(DEMO);
        MessageConsumer consumer = s.createConsumer(DEMO);
        c.close();
        c.close();
        s.close();
        p.close();
        consumer.close();
        List<ThrowingCallable> calls = List.of(
                c::start,
                c::stop,
                c::createSession,
                c::getMetaData,
                c::getClientID,
                s::createMessage,
                s::getTransacted,
                () -> p.send(s.createMessage()),
                consumer::receiveNoWait,
                consumer::getMessageSelector);
        calls.forEach(call -> assertThatThrownBy(call).isInstanceOf(IllegalStateException.class));
    }

    @Test
    void sessionsOfOneDomainRefuseWhatBelongsToTheOther() throws Exception {
        try (ClientConnection c = Clients.connect(broker, "client-id=me")) {
            QueueSession queues = c.createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
            TopicSession topics = c.createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
            List<ThrowingCallable> calls = List.of(
                    () -> queues.createTopic("t"),
                    queues::createTemporaryTopic,
                    () -> queues.createDurableSubscriber(NEWS, "s"),
                    () -> queues.createDurableConsumer(NEWS, "s"),
                    () -> queues.createSharedConsumer(NEWS, "s"),
                    () -> queues.createSharedDurableConsumer(NEWS, "s"),
                    () -> queues.unsubscribe("s"),
                    () -> topics.createQueue("q"),
                    topics::createTemporaryQueue,
                    () -> topics.createBrowser(DEMO));
            calls.forEach(call -> assertThatThrownBy(call).isInstanceOf(IllegalStateException.class));
        }
    }

    private static final class NoPool implements ServerSessionPool {
        @Override
        public ServerSession getServerSession() throws JMSException {
            throw new JMSException("no sessions");
        }
    }

    @Test
    void sessionPoolsAreRefusedAsTheSpecificationAllows() throws Exception {
        try (ClientConnection c = Clients.connect(broker)) {
            assertThatThrownBy(() -> c.createConnectionConsumer(DEMO, null, new NoPool(), 1))
                    .isExactlyInstanceOf(JMSException.class);
            assertThatThrownBy(() -> c.createSharedDurableConnectionConsumer(NEWS, "s", null, new NoPool(), 1))
                    .isExactlyInstanceOf(JMSException.class);
        }
    }

    @Test
    void subscriptionsAreOpenedAsTheirKindSays() throws Exception {
        try (ClientConnection c = Clients.connect(broker, "client-id=me")) {
            Session s = c.createSession();
            s.createConsumer(NEWS, "a = 1", true);
            s.createDurableConsumer(NEWS, "d");
            s.createDurableSubscriber(NEWS, "n", "b = 2", true);
            s.createSharedConsumer(NEWS, "sh");
            s.createSharedDurableConsumer(NEWS, "sd", "c = 3");
            s.unsubscribe("d");
            assertThat(broker.heard(FrameType.OPEN_CONSUMER))
                    .containsExactly(
                            "topic/news selector a = 1 flags 1 subscription null",
                            "topic/news selector null flags 2 subscription d",
                            "topic/news selector b = 2 flags 3 subscription n",
                            "topic/news selector null flags 4 subscription sh",
                            "topic/news selector c = 3 flags 6 subscription sd");
            assertThat(broker.heard(FrameType.UNSUBSCRIBE)).containsExactly("d");
        }
    }

    @Test
    void sharablePolicyOpensDurableSubscriptionsShared() throws Exception {
        try (ClientConnection c = Clients.connect(broker, "client-id=me", "subscription-sharing-policy=sharable")) {
            c.createSession().createDurableConsumer(NEWS, "d");
            assertThat(broker.heard(FrameType.OPEN_CONSUMER).getFirst()).contains("flags 6");
        }
    }

    @Test
    void anUnsharedDurableSubscriptionNeedsAClientIdentifier() throws Exception {
        try (ClientConnection c = Clients.connect(broker)) {
            Session s = c.createSession();
            assertThatThrownBy(() -> s.createDurableConsumer(NEWS, "d")).isInstanceOf(IllegalStateException.class);
            s.createSharedDurableConsumer(NEWS, "d");
        }
    }

    @Test
    void aBrowserSeesMessagesPageByPageAndLeavesThem() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            Session s = c.createSession();
            MessageProducer p = s.createProducer(DEMO);
            for (int i = 0; i < 250; i++) {
                p.send(s.createTextMessage("m" + i));
            }
            QueueBrowser browser = s.createBrowser(DEMO);
            List<?> seen = Listed.of(browser.getEnumeration());
            assertThat(seen).hasSize(250);
            assertThat(Clients.text((Message) seen.get(249))).isEqualTo("m249");
            assertThat(((Message) seen.get(0)).getJMSDestination()).isEqualTo(DEMO);
            browser.close();
            assertThatThrownBy(browser::getEnumeration).isInstanceOf(IllegalStateException.class);
            assertThat(broker.depth(FakePeer.queue("demo"))).isEqualTo(250);
        }
    }

    @Test
    void temporaryDestinationsBelongToTheirConnection() throws Exception {
        try (ClientConnection c = Clients.connect(broker);
                ClientConnection other = Clients.connect(broker)) {
            Session s = c.createSession();
            TemporaryQueue temporary = s.createTemporaryQueue();
            assertThatThrownBy(() -> other.createSession().createConsumer(temporary))
                    .isInstanceOf(InvalidDestinationException.class);
            MessageConsumer consumer = s.createConsumer(temporary);
            assertThatThrownBy(temporary::delete)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("consumers");
            consumer.close();
            temporary.delete();
            assertThat(broker.heard(FrameType.DELETE_TEMPORARY)).containsExactly("temporary-queue/temp-1");
            assertThatThrownBy(() -> s.createConsumer(temporary)).isInstanceOf(InvalidDestinationException.class);
        }
    }

    @Test
    void requestAndReplyWork() throws Exception {
        try (ClientConnection c = Clients.started(broker);
                ClientConnection server = Clients.started(broker)) {
            Session s = server.createSession();
            MessageProducer replies = s.createProducer(null);
            s.createConsumer(DEMO)
                    .setMessageListener(m -> Runtimes.run(
                            () -> replies.send(m.getJMSReplyTo(), s.createTextMessage(Clients.text(m) + ", too"))));
            QueueSession mine = c.createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
            QueueRequestor requestor = new QueueRequestor(mine, DEMO);
            assertThat(Clients.text(requestor.request(mine.createTextMessage("hello"))))
                    .isEqualTo("hello, too");
            requestor.close();
        }
    }

    @Test
    void propertiesSurviveTheWay() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            Session s = c.createSession();
            TextMessage m = s.createTextMessage("x");
            m.setJMSCorrelationID("corr");
            m.setJMSType("type");
            m.setJMSReplyTo(NEWS);
            m.setIntProperty("n", 7);
            s.createProducer(DEMO).send(m);
            Message got = s.createConsumer(DEMO).receive();
            assertThat(Map.of(
                            "corr", got.getJMSCorrelationID(),
                            "type", got.getJMSType(),
                            "reply", ((Topic) got.getJMSReplyTo()).getTopicName(),
                            "id", got.getJMSMessageID(),
                            "dest", ((Queue) got.getJMSDestination()).getQueueName()))
                    .containsExactlyInAnyOrderEntriesOf(Map.of(
                            "corr", "corr",
                            "type", "type",
                            "reply", "news",
                            "id", m.getJMSMessageID(),
                            "dest", "demo"));
            assertThat(got.getIntProperty("n")).isEqualTo(7);
        }
    }
}
