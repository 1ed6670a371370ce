package io.weir.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jms.WeirConnectionFactory;
import io.weir.lab.scenario.ProcessLauncher;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * AUTO_ACKNOWLEDGE and kill -9: of what a session consumed the last message may come again, flagged, and no other. The server
 * is stopped before it is killed, so that a client that does not wait for its word consumes all that it has prefetched.
 */
@Tag("slow")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LastMessageTest {
    private static final int MESSAGES = 60;
    private static final int BEFORE = 5;
    private static final int PREFETCHED = 40;
    private static final long MOMENT = 200;
    private static final long PATIENCE = Await.PATIENCE.toMillis();

    @TempDir
    Path folder = Path.of("");

    @Test
    void onlyTheLastConsumedMessageOfASessionComesAgain() throws Exception {
        List<String> received = new ArrayList<>();
        Queue<String> heard = new ConcurrentLinkedQueue<>();
        Semaphore goOn = new Semaphore(0);
        try (ProcessLauncher.Running server = start();
                Connection c = connection(server)) {
            send(c, "received");
            send(c, "heard");
            MessageConsumer consumer = consumer(c, Session.AUTO_ACKNOWLEDGE, "received");
            consumer(c, Session.AUTO_ACKNOWLEDGE, "heard").setMessageListener(m -> {
                goOn.acquireUninterruptibly();
                heard.add(text(m));
            });
            c.start();
            goOn.release(BEFORE);
            for (int i = 0; i < BEFORE; i++) {
                received.add(text(consumer.receive(PATIENCE)));
            }
            Await.until("messages are heard", heard::toString, () -> heard.size() >= BEFORE);
            Signals.send("STOP", server.pid());
            goOn.release(MESSAGES);
            for (int i = 0; i < PREFETCHED / 2; i++) {
                Message m = consumer.receive(MOMENT);
                if (m == null) {
                    break;
                }
                received.add(text(m));
            }
            server.kill();
        }
        try (ProcessLauncher.Running server = start();
                Connection c = connection(server)) {
            c.start();
            check(c, "received", received);
            check(c, "heard", List.copyOf(heard));
        }
    }

    private static void check(Connection c, String queue, List<String> consumed) throws JMSException {
        MessageConsumer consumer = consumer(c, Session.DUPS_OK_ACKNOWLEDGE, queue);
        List<String> all = new ArrayList<>(consumed);
        for (Message m = consumer.receiveNoWait(); m != null; m = consumer.receiveNoWait()) {
            String text = text(m);
            if (!consumed.contains(text)) {
                all.add(text);
                continue;
            }
            assertThat(text).as("comes again, of %s", consumed).isEqualTo(consumed.getLast());
            assertThat(m.getJMSRedelivered()).as("%s is flagged", text).isTrue();
        }
        assertThat(all).as("all of %s", queue).hasSize(MESSAGES).doesNotHaveDuplicates();
    }

    private static String text(Message m) {
        try {
            return ((TextMessage) m).getText();
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }

    private static void send(Connection c, String queue) throws JMSException {
        try (Session s = c.createSession(Session.SESSION_TRANSACTED)) {
            for (int i = 0; i < MESSAGES; i++) {
                s.createProducer(s.createQueue(queue)).send(s.createTextMessage("m" + i));
            }
            s.commit();
        }
    }

    private static MessageConsumer consumer(Connection c, int mode, String queue) throws JMSException {
        Session s = c.createSession(mode);
        return s.createConsumer(s.createQueue(queue));
    }

    private static Connection connection(ProcessLauncher.Running server) throws JMSException {
        return new WeirConnectionFactory("weir://127.0.0.1:" + server.port("messaging")
                        + "?reconnect-policy=none&synchronous-prefetch-mode=enabled&messages-maximum=" + PREFETCHED)
                .createConnection();
    }

    private ProcessLauncher.Running start() throws Exception {
        Path config = Files.writeString(folder.resolve("weir.yaml"), """
                listeners:
                  messaging: {protocol: weir, address: 127.0.0.1, port: 0}
                admin: {port: 0}
                messaging:
                  queues: {received: {}, heard: {}}
                """);
        return Servers.launcher().start(config, folder.resolve("data"), List.of());
    }
}
