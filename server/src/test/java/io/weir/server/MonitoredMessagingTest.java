package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.SystemClock;
import io.weir.jms.WeirConnectionFactory;
import io.weir.kernel.mux.Muxer;
import io.weir.kernel.work.WorkManager;
import io.weir.server.admin.Await;
import io.weir.server.admin.RawClient;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import io.weir.server.monitor.StatsXmlTest;
import io.weir.server.start.ServerParts;
import io.weir.server.start.StartFailure;
import io.weir.server.users.AdminToken;
import jakarta.jms.Connection;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Watching messaging in the assembled server, with the client that applications use. */
@Tag("slow")
@Timeout(300)
final class MonitoredMessagingTest {
    private static final String DEMO = "(?m)^queue/demo +";

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @TempDir
    private Path dir = Path.of("");

    @Test
    void everyViewShowsWhatClientsDid() throws Exception {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        ObjectName demo = new ObjectName("io.weir:type=JMSDestinationRuntime,name=\"queue/demo\"");
        try (Running weir = new Running();
                Connection c = weir.factory().createConnection()) {
            c.setClientID("till-7");
            Session s = c.createSession(false, Session.CLIENT_ACKNOWLEDGE);
            Queue q = s.createQueue("demo");
            MessageProducer p = s.createProducer(q);
            for (int i = 0; i < 5; i++) {
                p.send(s.createTextMessage("m" + i));
            }
            c.start();
            assertThat(s.createConsumer(q).receive(10_000)).isNotNull();
            s.createTemporaryQueue();

            Await.until(() -> weir.text("/.perf").matches("(?s).*\nqueue/demo +4 +5 +5 +1 .*"));
            String perf = weir.text("/.perf");
            assertThat(perf.substring(perf.indexOf("Sessions:\n-"), perf.indexOf("MessagingInfo:")))
                    .as("messaging's connections are no requests")
                    .doesNotContain("127.0.0.1");
            assertThat(perf)
                    .contains(
                            "MessagingInfo:\n",
                            "JournalInfo messages:\n",
                            "Temporary Destinations                     1\n")
                    .containsPattern("State +ok\nRecords +[1-9]\\d*\nForces +[1-9]\\d*\n")
                    .containsPattern("(?m)^[0-9a-f]+ +guest +till-7 +127\\.0\\.0\\.1:\\d+ +yes +1 +0 +1 +1 +0 +-$")
                    .containsPattern("(?m)^[0-9a-f]+ +\\d+ +guest +till-7 +client +0/10 +no +0 +1 +1 +0 +-$")
                    .contains("Address                   weir://127.0.0.1:");
            Document xml = StatsXmlTest.valid(weir.text("/stats-xml"));
            Element e =
                    (Element) xml.getElementsByTagName("jms-destination-bucket").item(0);
            assertThat(List.of(e.getAttribute("name"), e.getAttribute("countMessages"), e.getAttribute("peakMessages")))
                    .containsExactly("queue/demo", "4", "5");
            assertThat(weir.text("/stats-xml?jms-bucket=0")).doesNotContain("jms-");
            assertThat(weir.text("/metrics"))
                    .contains(
                            "weir_destination_messages_current{destination=\"queue/demo\"} 4.0\n",
                            "weir_destination_messages_received_total{destination=\"queue/demo\"} 5.0\n",
                            "weir_destination_messages_current{destination=\"temporary\"} 0.0\n",
                            "weir_jms_temporary_destinations 1.0\n",
                            "weir_journal_force_seconds_count{journal=\"messages\"}")
                    .contains("# TYPE weir_destination_messages_received_total counter\n");
            assertThat(weir.text("/health"))
                    .containsPattern(
                            "\\{\"name\":\"messaging\",\"protocol\":\"weir\",\"address\":\"[^\"]+\",\"status\":\"up\"}")
                    .contains("{\"name\":\"journal messages\",\"status\":\"up\"");
            Await.until(() -> beans.isRegistered(demo));
            assertThat(beans.getAttribute(demo, "MessagesReceivedCount")).isEqualTo(5L);
        }
        assertThat(beans.isRegistered(demo)).isFalse();
    }

    @Test
    void serverWithoutMessagingShowsNothingOfIt() throws Exception {
        try (Running weir = new Running("listeners.messaging.protocol=http")) {
            assertThat(weir.text("/.perf")).doesNotContain("Messaging", "Journal", "Destinations:");
            assertThat(weir.text("/stats-xml")).doesNotContain("jms-");
            assertThat(weir.text("/health")).doesNotContain("journal");
        }
    }

    @Test
    void aSlowConsumerIsNamedOnceWithItsConnectionClientAndDestination() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try (Running weir = new Running("messaging.limits.slow-consumer-time=1s");
                JMSContext sender = weir.factory().createContext();
                Connection slow = weir.factory("messages-maximum=1").createConnection();
                Connection other = weir.factory("messages-maximum=1").createConnection();
                Release _ = end::countDown) {
            slow.setClientID("till-7");
            other.setClientID("till-8");
            hangingListener(slow, "demo", end);
            sendThree(sender, "demo");
            Await.until(() -> !weir.logged("took no message").isEmpty());
            assertThat(weir.logged("took no message").getFirst())
                    .contains("queue/demo", "client id till-7")
                    .containsPattern("connection [0-9a-f]+")
                    .containsPattern("127\\.0\\.0\\.1:\\d+");

            // another one that falls behind an interval later is named; the first is not named again meanwhile
            hangingListener(other, "errors", end);
            sendThree(sender, "errors");
            Await.until(() -> !weir.logged("till-8").isEmpty());
            assertThat(weir.logged("till-7")).hasSize(1);
            Await.until(() -> weir.text("/.perf").contains("Slow Consumers                             2\n"));
        }
    }

    /** Lets hanging threads go before what they hang in is closed. */
    private interface Release extends AutoCloseable {
        @Override
        void close();
    }

    private static void hangingListener(Connection c, String queue, CountDownLatch end) throws Exception {
        Session s = c.createSession(false, Session.AUTO_ACKNOWLEDGE);
        s.createConsumer(s.createQueue(queue)).setMessageListener(_ -> hang(end));
        c.start();
    }

    private static void sendThree(JMSContext context, String queue) {
        for (int i = 0; i < 3; i++) {
            context.createProducer().send(context.createQueue(queue), "m" + i);
        }
    }

    @Test
    void everyViewAnswersWhileEveryExecuteThreadAndEveryMuxerHangs() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try (Running weir =
                new Running("work-managers.default.max-threads=2", "work-managers.default.queue-capacity=3")) {
            try (JMSContext context = weir.factory().createContext()) {
                context.createProducer().send(context.createQueue("demo"), "waits");
            }
            Await.until(() -> weir.text("/.perf").matches("(?s).*\nqueue/demo +1 .*"));
            WorkManager threads = weir.server.kernel().workManager("default");
            while (threads.execute(() -> hang(end))) {
                // until the queue is full too
            }
            for (Muxer m : weir.server.kernel().muxers().all()) {
                m.eventLoop().execute(() -> hang(end));
            }
            Await.until(() -> weir.text("/.perf").contains("seconds ago"));

            assertThat(weir.text("/.perf"))
                    .containsPattern(DEMO + "1 .* \\d+ seconds ago\n")
                    .containsPattern("Hanging Muxers +0");
            Document xml = StatsXmlTest.valid(weir.text("/stats-xml"));
            Element e =
                    (Element) xml.getElementsByTagName("jms-destination-bucket").item(0);
            assertThat(e.getAttribute("countMessages")).isEqualTo("1");
            assertThat(Integer.parseInt(e.getAttribute("secondsStale"))).isGreaterThanOrEqualTo(3);
            for (String view : List.of("/metrics", "/health/live", "/knobs", "/")) {
                assertThat(weir.admin(view).status()).as(view).isEqualTo(200);
            }
            assertThat(weir.text("/health")).contains("journal messages");
            assertThat(weir.text("/messaging")).containsPattern("\"name\":\"queue/demo\".*\"secondsStale\":\\d+");
            end.countDown();
            Await.until(() -> !weir.text("/.perf").contains("seconds ago"));
        } finally {
            end.countDown();
        }
    }

    @Test
    void journalThatTakesNothingMakesTheServerUnready() throws Exception {
        try (Running weir = new Running(
                        "messaging.journal.max-file-size=64KiB",
                        "messaging.journal.max-total-size=256KiB",
                        "messaging.journal.io-buffer-size=16KiB");
                JMSContext context = weir.factory().createContext()) {
            assertThat(weir.admin("/health/ready").status()).isEqualTo(200);
            Queue q = context.createQueue("demo");
            String text = "x".repeat(10_000);
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 100; i++) {
                            context.createProducer().send(q, text);
                        }
                    })
                    .isInstanceOf(JMSRuntimeException.class);

            assertThat(weir.admin("/health/ready").status()).isEqualTo(503);
            assertThat(weir.text("/health"))
                    .contains("{\"name\":\"journal messages\",\"status\":\"down\"", "max-total-size");
            assertThat(weir.text("/.perf")).containsPattern("State +suspended: .*max-total-size");
            assertThat(weir.text("/metrics")).contains("weir_journal_suspended{journal=\"messages\"} 1.0\n");
        }
    }

    @Test
    void statisticsThatAreOffLeaveTheirLineAndMessagesFlow() throws Exception {
        try (Running weir = new Running("server.statistics=off");
                JMSContext context = weir.factory().createContext()) {
            Queue q = context.createQueue("demo");
            context.createProducer().send(q, "a");
            assertThat(weir.text("/.perf")).isEqualTo("Statistics disabled\n");
            Document xml = StatsXmlTest.valid(weir.text("/stats-xml"));
            assertThat(xml.getElementsByTagName("jms-bucket").getLength()).isZero();
            assertThat(weir.text("/health")).contains("journal messages");
            assertThat(context.createConsumer(q).receiveBody(String.class, 10_000))
                    .isEqualTo("a");

            String token = "Authorization: Bearer " + AdminToken.read(dir).text();
            String on = "{\"server.statistics\":\"on\"}";
            assertThat(weir.ask("PATCH", "/knobs", on, token, "Content-Type: application/json")
                            .status())
                    .isEqualTo(200);
            context.createProducer().send(q, "b");
            Await.until(() -> weir.text("/.perf").matches("(?s).*\nqueue/demo +[01] +1 +2 .*"));
        }
    }

    @Test
    void subscriptionsHaveTheNamesThatChangesTakeAndAMisspeltFilterChangesNothing() throws Exception {
        try (Running weir = new Running("messaging.topics.news.jndi-name=");
                JMSContext eu = weir.factory().createContext()) {
            eu.setClientID("shop.eu");
            Topic news = eu.createTopic("news");
            eu.createDurableConsumer(news, "o.r", "n = 1 OR n = 2", false).close();
            eu.createProducer().setProperty("n", 1).send(news, "a");
            eu.createProducer().setProperty("n", 2).send(news, "b");
            eu.createProducer().setProperty("n", 3).send(news, "c");
            assertThat(weir.text("/messaging/subscriptions"))
                    .contains("\"name\":\"topic/news#shop\\\\.eu.o.r\"", "\"selector\":\"n = 1 OR n = 2\"")
                    .contains("\"durable\":true,\"shared\":false,\"consumers\":0")
                    .contains("\"messages\":{\"current\":2,\"pending\":0,\"high\":2,\"total\":2,\"recovered\":0}");
            String token = "Authorization: Bearer " + AdminToken.read(dir).text();
            String delete = "/messaging/delete?from=topic%2Fnews%23shop%5C.eu.o.r&";
            RawClient.Answer misspelt = weir.ask("POST", delete + "selektor=n%3D1", "", token);
            assertThat(misspelt.status()).isEqualTo(400);
            assertThat(misspelt.body()).contains("'selektor'", "selector", "Nothing was changed");
            assertThat(weir.ask("POST", delete + "selector=n%3D1&selector=n%3D2", "", token)
                            .status())
                    .isEqualTo(400);
            assertThat(weir.text("/messaging/subscriptions")).contains("\"current\":2");
            assertThat(weir.ask("POST", delete + "selector=n%3D1", "", token).body())
                    .contains("\"deleted\":1");
            assertThat(weir.text("/messaging/subscriptions")).contains("\"current\":1");
        }
    }

    private static void hang(CountDownLatch end) {
        try {
            assertThat(end.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A server on free ports; closing stops it. */
    private final class Running implements AutoCloseable {
        private final Server server;

        Running(String... sets) throws StartFailure {
            List<String> all = new ArrayList<>(List.of(
                    "admin.port=0",
                    "listeners.http.port=0",
                    "listeners.messaging.port=0",
                    "messaging.queues.errors.jndi-name=",
                    "kernel.drain-time-out=8s"));
            all.addAll(List.of(sets));
            LoadedConfig loaded = new ConfigLoader(null, all, dir).load();
            assertThat(loaded.problems()).isEmpty();
            PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
            server = Server.start(new ServerParts(loaded, dir, SystemClock.INSTANCE, out, "0.1.0"));
        }

        WeirConnectionFactory factory(String... options) {
            int port = server.listeners().stream()
                    .filter(l -> l.name().equals("messaging"))
                    .findFirst()
                    .orElseThrow()
                    .address()
                    .getPort();
            String query = options.length == 0 ? "" : "?" + String.join("&", options);
            return new WeirConnectionFactory("weir://127.0.0.1:" + port + query);
        }

        List<String> logged(String text) {
            server.flushLog();
            return printed.toString(StandardCharsets.UTF_8)
                    .lines()
                    .filter(l -> l.contains(text))
                    .toList();
        }

        RawClient.Answer admin(String target) throws Exception {
            return ask("GET", target, "");
        }

        RawClient.Answer ask(String method, String target, String body, String... fields) throws Exception {
            int port = URI.create("http://" + server.adminAuthority()).getPort();
            try (RawClient client = new RawClient(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
                return client.ask(method, target, body, fields);
            }
        }

        String text(String target) {
            try {
                return admin(target).body();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            server.stop();
        }
    }
}
