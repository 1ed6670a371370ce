package io.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.base.SystemClock;
import io.weir.jms.WeirConnectionFactory;
import io.weir.kernel.listen.Listener;
import io.weir.server.config.ConfigLoader;
import io.weir.server.config.LoadedConfig;
import io.weir.server.files.DataDirectory;
import io.weir.server.start.ServerParts;
import io.weir.server.start.StartFailure;
import io.weir.server.users.QuickRealm;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.Queue;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.naming.Context;
import javax.naming.InitialContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messaging in the assembled server, through the client that applications use. */
@Tag("slow")
@SuppressWarnings({"BanJNDI", "JdkObsolete"}) // JNDI is what applications use, and it demands a Hashtable
final class MessagingServerTest {
    private static final long WAIT_MILLIS = 10_000;

    private final ByteArrayOutputStream stdout = new ByteArrayOutputStream();
    private final List<Server> started = new ArrayList<>();

    @TempDir
    private Path dir = Path.of("");

    private Server start(String... sets) throws StartFailure {
        List<String> all = new ArrayList<>(List.of(
                "listeners.http.port=0",
                "listeners.messaging.port=0",
                "admin.enabled=off",
                "server.data-dir=" + dir,
                "kernel.drain-time-out=8s"));
        all.addAll(List.of(sets));
        return start(new ConfigLoader(null, all, null).load());
    }

    private Server start(LoadedConfig loaded) throws StartFailure {
        assertThat(loaded.problems()).isEmpty();
        Server server = Server.start(new ServerParts(
                loaded,
                dir.toAbsolutePath(),
                SystemClock.INSTANCE,
                new PrintStream(stdout, true, StandardCharsets.UTF_8),
                "test"));
        started.add(server);
        return server;
    }

    @AfterEach
    void stop() {
        started.forEach(Server::stop);
    }

    private static String url(Server server) {
        Listener l = server.listeners().stream()
                .filter(x -> x.name().equals("messaging"))
                .findFirst()
                .orElseThrow();
        return "weir://127.0.0.1:" + l.address().getPort();
    }

    @Test
    void anApplicationFindsFactoryAndQueueByJndi() throws Exception {
        Server server = start();
        Context names = new InitialContext(environment(server));
        ConnectionFactory factory = (ConnectionFactory) names.lookup("jms/default");
        Queue queue = (Queue) names.lookup("queue/demo");
        try (JMSContext context = factory.createContext()) {
            context.createProducer().send(queue, "hello");
            assertThat(context.createConsumer(queue).receiveBody(String.class, WAIT_MILLIS))
                    .isEqualTo("hello");
        }
        names.close();
        server.flushLog();
        assertThat(stdout.toString(StandardCharsets.UTF_8))
                .containsPattern(
                        "Channel \"messaging\" is now listening on 127\\.0\\.0\\.1:\\d+ for protocols weir\\.");
    }

    /** Names that other brokers' applications bring: found by JNDI and by the session, kept over a restart. */
    @Test
    void aDestinationsNameMayHaveDots() throws Exception {
        String[] sets = {"messaging.queues.\"DEV.QUEUE.1\"={}", "messaging.topics.\"prices.eu\"={}"};
        Server first = start(sets);
        try (JMSContext context = new WeirConnectionFactory(url(first)).createContext()) {
            context.createProducer().send(context.createQueue("DEV.QUEUE.1"), "kept");
            JMSConsumer prices = context.createConsumer(context.createTopic("prices.eu"));
            context.createProducer().send(context.createTopic("prices.eu"), "7");
            assertThat(prices.receiveBody(String.class, WAIT_MILLIS)).isEqualTo("7");
        }
        assertThat(first.stop()).isTrue();
        started.clear();
        Server again = start(sets);
        Context names = new InitialContext(environment(again));
        Queue queue = (Queue) names.lookup("queue/DEV.QUEUE.1");
        names.close();
        assertThat(queue.getQueueName()).isEqualTo("DEV.QUEUE.1");
        try (JMSContext context = new WeirConnectionFactory(url(again)).createContext()) {
            assertThat(context.createConsumer(queue).receiveBody(String.class, WAIT_MILLIS))
                    .isEqualTo("kept");
        }
    }

    private static Hashtable<String, String> environment(Server server) {
        Hashtable<String, String> environment = new Hashtable<>();
        environment.put(Context.INITIAL_CONTEXT_FACTORY, "io.weir.jms.WeirContextFactory");
        environment.put(Context.PROVIDER_URL, url(server));
        return environment;
    }

    @Test
    void aPersistentMessageIsThereAfterARestart() throws Exception {
        Server first = start();
        try (JMSContext context = new WeirConnectionFactory(url(first)).createContext()) {
            context.createProducer().send(context.createQueue("demo"), "kept");
        }
        assertThat(first.stop()).isTrue();
        started.clear();
        try (JMSContext context = new WeirConnectionFactory(url(start())).createContext()) {
            assertThat(context.createConsumer(context.createQueue("demo")).receiveBody(String.class, WAIT_MILLIS))
                    .isEqualTo("kept");
        }
    }

    @Test
    void aStopDoesNotWaitForClientsAndTellsThem() throws Exception {
        Server server = start();
        CountDownLatch told = new CountDownLatch(1);
        JMSContext context = new WeirConnectionFactory(url(server)).createContext();
        context.setExceptionListener(_ -> told.countDown());
        context.createConsumer(context.createQueue("demo")).setMessageListener(_ -> {});
        assertThat(server.stop()).as("drained, nothing cut off").isTrue();
        started.clear();
        assertThat(told.await(WAIT_MILLIS, TimeUnit.MILLISECONDS)).isTrue();
        context.close();
    }

    @Test
    void guestsAreWelcomeOnlyWhileNobodyIsKnown() throws Exception {
        Server server = start();
        WeirConnectionFactory factory = new WeirConnectionFactory(url(server));
        factory.createContext().close();
        assertThatThrownBy(() -> factory.createContext("anna", "secret"))
                .isInstanceOf(JMSSecurityRuntimeException.class);
        QuickRealm.of(dir).set("anna", "secret".toCharArray(), List.of());
        assertThatThrownBy(factory::createContext).isInstanceOf(JMSSecurityRuntimeException.class);
        assertThatThrownBy(() -> factory.createContext("anna", "guess"))
                .isInstanceOf(JMSSecurityRuntimeException.class);
        try (JMSContext context = factory.createContext("anna", "secret")) {
            context.createProducer().send(context.createTopic("news"), "by anna");
        }
    }

    @Test
    void guestsMayBeAllowedOrRefusedByConfiguration() throws Exception {
        QuickRealm.of(dir).set("anna", "secret".toCharArray(), List.of());
        Server open = start("messaging.wire.logins.guests=local");
        new WeirConnectionFactory(url(open)).createContext().close();
        open.stop();
        started.clear();
        Server shut = start("messaging.wire.logins.guests=off");
        WeirConnectionFactory factory = new WeirConnectionFactory(url(shut));
        assertThatThrownBy(factory::createContext).isInstanceOf(JMSSecurityRuntimeException.class);
    }

    @Test
    void withoutAListenerForItThereIsNoBroker() throws Exception {
        Path file = Files.writeString(dir.resolve("weir.yaml"), """
                server: {data-dir: "."}
                listeners:
                  http: {port: 0}
                admin: {enabled: off}
                """);
        start(new ConfigLoader(file, List.of("server.data-dir=" + dir), null).load());
        assertThat(dir.resolve(DataDirectory.MESSAGES)).doesNotExist();
    }
}
