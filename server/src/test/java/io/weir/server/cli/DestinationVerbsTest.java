package io.weir.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.SystemClock;
import io.weir.jms.WeirConnectionFactory;
import io.weir.jms.WeirXAConnectionFactory;
import io.weir.jms.frames.BranchId;
import io.weir.server.Server;
import io.weir.server.config.ConfigLoader;
import io.weir.server.start.ServerParts;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.XAJMSContext;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Destinations come, change and go in a running server by the verbs of operators. */
@Tag("slow")
final class DestinationVerbsTest {
    private static final long WAIT_MILLIS = 60_000;

    @TempDir
    private Path dir = Path.of("");

    private Server server;

    @BeforeEach
    void start() throws Exception {
        start(null);
    }

    private void start(@Nullable Path file) throws Exception {
        List<String> sets = List.of(
                "listeners.http.port=0", "listeners.messaging.port=0", "admin.port=0", "server.data-dir=" + dir);
        server = Server.start(new ServerParts(
                new ConfigLoader(file, sets, null).load(),
                dir.toAbsolutePath(),
                SystemClock.INSTANCE,
                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8),
                "test"));
    }

    @AfterEach
    void stop() {
        server.stop();
    }

    private String url() {
        return "weir://127.0.0.1:"
                + server.listeners().stream()
                        .filter(l -> l.name().equals("messaging"))
                        .findFirst()
                        .orElseThrow()
                        .address()
                        .getPort();
    }

    /** What the verb says; its exit code first. */
    private String weir(String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--set", "server.data-dir=" + dir));
        String[] line = all.toArray(String[]::new);
        CommandLine verb = Main.line(line);
        StringWriter out = new StringWriter();
        verb.setErr(new PrintWriter(out, true));
        verb.setOut(new PrintWriter(out));
        int code = verb.execute(line);
        return code + " " + out;
    }

    private Object keepAlive() throws IOException {
        return String.valueOf(AdminClient.of(dir)
                .get("/knobs/kernel.keep-alive.timeout")
                .object()
                .get("value"));
    }

    @Test
    void aQueueComesChangesAndGoesWhenItIsEmpty() throws Exception {
        assertThat(weir("jms", "create", "queue/orders.in")).isEqualTo("0 created queue/orders.in\n");
        try (JMSContext context = new WeirConnectionFactory(url()).createContext()) {
            context.createProducer().send(context.createQueue("orders.in"), "first");
            assertThat(weir("config", "set", "messaging.queues.\"orders.in\".maximum-message-size=10"))
                    .startsWith("0 ")
                    .contains("messaging.queues.\\\"orders.in\\\".maximum-message-size");
            assertThat(weir("jms", "remove", "queue/orders.in")).isEqualTo("0 removed queue/orders.in\n");
            assertThat(weir("jms", "stats")).contains("queue/orders.in");
            JMSConsumer consumer = context.createConsumer(context.createQueue("orders.in"));
            assertThat(consumer.receiveBody(String.class, WAIT_MILLIS)).isEqualTo("first");
            // ends when the queue is deleted
            assertThat(consumer.receive(WAIT_MILLIS)).isNull();
        }
        assertThat(weir("jms", "stats")).doesNotContain("queue/orders.in").contains("queue/demo");
    }

    @Test
    void aQueueOfTheFileIsGoneAfterARestartToo() throws Exception {
        assertThat(weir("jms", "remove", "queue/demo")).startsWith("0 removed");
        assertThat(Files.readString(dir.resolve("overrides.yaml"))).contains("demo:");
        server.stop();
        start();
        assertThat(weir("jms", "stats")).doesNotContain("queue/demo");
        assertThat(weir("config", "drop", "messaging.queues.demo")).startsWith("0 ");
        assertThat(weir("jms", "stats")).contains("queue/demo");
    }

    /** A new entry would hide the file's, with who may read the messages that are there. */
    @Test
    void oneOfTheFileThatIsCreatedAgainIsAsTheFileHasIt() throws Exception {
        server.stop();
        Path file = dir.resolve("weir.yaml");
        Files.writeString(file, "messaging: {queues: {orders: {access: {receive: [warehouse]}}}}\n");
        start(file);
        assertThat(weir("jms", "remove", "queue/orders")).startsWith("0 removed");
        assertThat(weir("jms", "create", "queue/orders"))
                .startsWith("0 created")
                .contains("as the file has it");
        assertThat(String.valueOf(AdminClient.of(dir)
                        .get("/knobs/messaging.queues.orders.access.receive")
                        .object()
                        .get("value")))
                .contains("warehouse");
        assertThat(weir("jms", "create", "queue/more")).isEqualTo("0 created queue/more\n");
        assertThat(weir("jms", "remove", "queue/more")).startsWith("0 removed");
        assertThat(weir("jms", "create", "queue/more")).isEqualTo("0 created queue/more\n");
    }

    @Test
    void anAbandonedSubscriptionIsEndedByAnOperator() throws Exception {
        weir("jms", "create", "topic/news");
        try (JMSContext context = new WeirConnectionFactory(url()).createContext()) {
            context.setClientID("app");
            JMSConsumer consumer = context.createDurableConsumer(context.createTopic("news"), "daily");
            assertThat(weir("jms", "unsubscribe", "topic/news#app.daily"))
                    .startsWith("1 ")
                    .contains("has 1 consumers");
            consumer.close();
        }
        assertThat(weir("jms", "remove", "topic/news")).startsWith("0 removed");
        assertThat(weir("jms", "subscriptions")).contains("topic/news#app.daily");
        assertThat(weir("jms", "unsubscribe", "topic/news#app.daily"))
                .isEqualTo("0 unsubscribed topic/news#app.daily\n");
        assertThat(weir("jms", "subscriptions")).doesNotContain("topic/news");
        assertThat(weir("jms", "unsubscribe", "topic/news#app.daily"))
                .startsWith("1 ")
                .contains("there is no durable subscription");
    }

    @Test
    void anOperatorEndsTransactionsInDoubt() throws Exception {
        assertThat(weir("jms", "transactions")).isEqualTo("0 no transaction is in doubt\n");
        Xid one = prepared(1, "committed");
        Xid two = prepared(2, "rolled back");
        String first = String.valueOf(BranchId.of(one));
        String second = String.valueOf(BranchId.of(two));
        assertThat(weir("jms", "transactions"))
                .contains("transaction  ", first, second, "prepared", "guest")
                .doesNotContain("rolled-back");
        assertThat(weir("jms", "transactions", "--json")).contains("\"sent\":1");
        assertThat(weir("jms", "transactions", "commit", first)).isEqualTo("0 committed " + first + "\n");
        assertThat(weir("jms", "transactions", "rollback", second)).isEqualTo("0 rolled back " + second + "\n");
        assertThat(weir("jms", "transactions", "commit", second))
                .startsWith("1 ")
                .contains("rolled back by an operator");
        assertThat(weir("jms", "transactions")).contains("committed", "rolled-back");
        try (JMSContext context = new WeirConnectionFactory(url()).createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue("demo"))) {
            assertThat(consumer.receiveBody(String.class, WAIT_MILLIS)).isEqualTo("committed");
            assertThat(consumer.receiveNoWait()).isNull();
        }
        assertThat(weir("jms", "transactions", "forget", first)).isEqualTo("0 forgot " + first + "\n");
        assertThat(weir("jms", "transactions", "forget", second)).startsWith("0 ");
        assertThat(weir("jms", "transactions")).isEqualTo("0 no transaction is in doubt\n");
        assertThat(weir("jms", "transactions", "commit", first))
                .startsWith("1 ")
                .contains("does not exist");
        assertThat(weir("jms", "transactions", "commit", "x")).startsWith("1 ").contains("FORMAT:GLOBAL:QUALIFIER");
        assertThat(weir("jms", "transactions", "commit")).startsWith("2 ").contains("needs the ID");
        assertThat(weir("jms", "transactions", "undo", first)).startsWith("2 ").contains("commit, rollback or forget");
    }

    /** A prepared transaction that sends a message. */
    private Xid prepared(int number, String text) throws Exception {
        Xid xid = new BranchId(1, "0" + number, "").xid();
        try (XAJMSContext context = new WeirXAConnectionFactory(url()).createXAContext()) {
            context.getXAResource().start(xid, XAResource.TMNOFLAGS);
            context.createProducer().send(context.createQueue("demo"), text);
            context.getXAResource().end(xid, XAResource.TMSUCCESS);
            context.getXAResource().prepare(xid);
        }
        return xid;
    }

    /** Creating it again would set its knobs back. */
    @Test
    void whatIsThereIsNotCreatedAndWhatIsNotIsNotRemoved() throws Exception {
        weir("config", "set", "messaging.queues.\"a.b\"={maximum-message-size: 10}");
        assertThat(weir("jms", "create", "queue/a.b"))
                .isEqualTo("1 weir: queue/a.b is configured already: nothing was changed\n");
        assertThat(weir("jms", "remove", "queue/a"))
                .isEqualTo("1 weir: queue/a is not configured: nothing was changed\n");
        assertThat(weir("jms", "remove", "topic/a.b")).startsWith("1 ");
        assertThat(Files.readString(dir.resolve("overrides.yaml"))).contains("maximum-message-size: 10");
    }

    @Test
    void whatCannotBeIsSaid() throws IOException {
        assertThat(weir("jms", "create", "orders")).startsWith("2 ").contains("write queue/NAME or topic/NAME");
        assertThat(weir("jms", "create", "queue/a b")).startsWith("1 ").contains("a name has 1 to 255 letters");
        assertThat(weir("config", "set", "kernel.drain-time-out=soon", "kernel.keep-alive.timeout=9s"))
                .startsWith("1 ")
                .contains("kernel.drain-time-out");
        assertThat(weir("config", "set", "keep-alive")).startsWith("2 ").contains("expected key=value");
        assertThat(weir("config", "set", "admin.port=1")).startsWith("1 ").contains("admin.port");
        assertThat(keepAlive()).isEqualTo("30s");
    }

    @Test
    void aChangeMayLastUntilTheNextStartOnly() throws Exception {
        assertThat(weir("config", "set", "--once", "kernel.keep-alive.timeout=9s"))
                .startsWith("0 ");
        assertThat(keepAlive()).isEqualTo("9s");
        server.stop();
        start();
        assertThat(keepAlive()).isEqualTo("30s");
        assertThat(weir("config", "set", "kernel.keep-alive.timeout=8s")).startsWith("0 ");
        server.stop();
        start();
        assertThat(keepAlive()).isEqualTo("8s");
    }
}
