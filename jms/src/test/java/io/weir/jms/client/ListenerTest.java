package io.weir.jms.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.jms.client.link.Runtimes;
import io.weir.jms.frames.FrameType;
import io.weir.jms.message.WeirQueue;
import jakarta.jms.DeliveryMode;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Message listeners: the pipeline, acknowledgement, threads, and what may be done inside. */
class ListenerTest {
    private static final WeirQueue DEMO = new WeirQueue("demo");

    private final FakeBroker broker = new FakeBroker();
    private final BlockingQueue<Message> heard = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        broker.close();
    }

    private static void fill(ClientConnection c, int n) throws JMSException {
        try (Session s = c.createSession()) {
            MessageProducer p = s.createProducer(DEMO);
            for (int i = 0; i < n; i++) {
                p.send(s.createTextMessage("m" + i));
            }
        }
    }

    private Message next() throws InterruptedException {
        Message m = heard.poll(3, TimeUnit.MINUTES);
        assertThat(m).as("a message in time").isNotNull();
        return m;
    }

    private long credits() {
        return broker.heard(FrameType.CREDIT).stream()
                .mapToLong(Long::parseLong)
                .sum();
    }

    @Test
    void messagesComeInOrderAreAcknowledgedAndCreditComesBack() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            fill(c, 100);
            Session s = c.createSession();
            s.createConsumer(DEMO).setMessageListener(heard::add);
            for (int i = 0; i < 100; i++) {
                assertThat(Clients.text(next())).isEqualTo("m" + i);
            }
            FakeBroker.await("all credit", () -> credits() == 100);
            s.close();
            assertThat(broker.depth(FakePeer.queue("demo"))).isZero();
            assertThat(broker.acknowledged().getLast()).endsWith("-100");
        }
    }

    @Test
    void whileConsumptionKeepsUpEachMessageIsAcknowledgedByItself() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            Session s = c.createSession();
            s.createConsumer(DEMO).setMessageListener(heard::add);
            for (int i = 1; i <= 3; i++) {
                fill(c, 1);
                next();
                int n = i;
                FakeBroker.await(
                        "the acknowledgement", () -> broker.acknowledged().size() == n);
            }
            assertThat(broker.acknowledged()).containsExactly("1-1", "2-2", "3-3");
            assertThat(broker.heard(FrameType.CREDIT)).containsExactly("1", "1", "1");
        }
    }

    @Test
    void anOverrunIsAcknowledgedInBatches() throws Exception {
        try (ClientConnection c = Clients.started(broker, "messages-maximum=200")) {
            Clients.fill(c, DEMO, DeliveryMode.NON_PERSISTENT, 1000);
            c.createSession().createConsumer(DEMO).setMessageListener(heard::add);
            for (int i = 0; i < 1000; i++) {
                next();
            }
            FakeBroker.await("all credit", () -> credits() == 1000);
            assertThat(broker.acknowledged().size()).isLessThan(500);
        }
    }

    @Test
    void theOverflowStaysOnTheServer() throws Exception {
        try (ClientConnection c = Clients.started(broker, "messages-maximum=3")) {
            fill(c, 10);
            CountDownLatch go = new CountDownLatch(1);
            MessageConsumer consumer = c.createSession().createConsumer(DEMO);
            consumer.setMessageListener(m -> {
                heard.add(m);
                await(go);
            });
            next();
            FakeBroker.await("the window to fill", () -> broker.depth(FakePeer.queue("demo")) == 6);
            go.countDown();
            for (int i = 1; i < 10; i++) {
                next();
            }
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(3, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void listenersRunOnTheClientPoolOneAtATimeForASession() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            AtomicInteger inside = new AtomicInteger();
            List<String> threads = new CopyOnWriteArrayList<>();
            List<Integer> overlaps = new CopyOnWriteArrayList<>();
            Session s = c.createSession();
            for (int i = 0; i < 2; i++) {
                s.createConsumer(DEMO).setMessageListener(m -> {
                    int n = inside.incrementAndGet();
                    if (n != 1) {
                        overlaps.add(n);
                    }
                    threads.add(Thread.currentThread().getName());
                    heard.add(m);
                    inside.decrementAndGet();
                });
            }
            fill(c, 50);
            for (int i = 0; i < 50; i++) {
                next();
            }
            assertThat(overlaps).isEmpty();
            assertThat(threads).allMatch(t -> t.contains("for queue: 'weir.jms.client'"));
        }
    }

    @Test
    void aListenerThatThrowsGetsTheMessageAgain() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            AtomicInteger calls = new AtomicInteger();
            fill(c, 2);
            c.createSession().createConsumer(DEMO).setMessageListener(m -> {
                heard.add(m);
                if (calls.incrementAndGet() == 1) {
                    throw new IllegalArgumentException("on purpose");
                }
            });
            assertThat(Clients.text(next())).isEqualTo("m0");
            Message again = next();
            assertThat(Clients.text(again)).isEqualTo("m0");
            assertThat(again.getJMSRedelivered()).isTrue();
            Message other = next();
            assertThat(Clients.text(other)).isEqualTo("m1");
            assertThat(other.getJMSRedelivered()).isFalse();
        }
    }

    @Test
    void aListenerThatThrowsIsReportedAsPossiblyMalfunctioning() throws Exception {
        List<String> said = new CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord record) {
                said.add(record.getLevel() + " " + record.getMessage() + " "
                        + record.getThrown().getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger("io.weir.jms");
        logger.addHandler(handler);
        try (ClientConnection c = Clients.started(broker)) {
            AtomicInteger calls = new AtomicInteger();
            fill(c, 1);
            c.createSession().createConsumer(DEMO).setMessageListener(m -> {
                if (calls.incrementAndGet() <= 5) {
                    throw new IllegalArgumentException("on purpose");
                }
                heard.add(m);
            });
            next();
        } finally {
            logger.removeHandler(handler);
        }
        assertThat(said)
                .hasSize(3)
                .allMatch(s -> s.matches("WARNING possibly malfunctioning: the message listener "
                        + ".*ListenerTest.* of a consumer of queue/demo threw, [124] times? so far on purpose"));
    }

    @Test
    void recoverInsideAListenerBringsTheMessageBack() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            fill(c, 3);
            Session s = c.createSession(Session.CLIENT_ACKNOWLEDGE);
            AtomicInteger calls = new AtomicInteger();
            s.createConsumer(DEMO).setMessageListener(m -> {
                heard.add(m);
                int n = calls.incrementAndGet();
                quietly(() -> {
                    if (n == 2) {
                        s.recover();
                    } else if (n == 5) {
                        m.acknowledge();
                    }
                });
            });
            String order = "";
            for (int i = 0; i < 5; i++) {
                order += Clients.text(next()) + " ";
            }
            assertThat(order).isEqualTo("m0 m1 m0 m1 m2 ");
            FakeBroker.await("all acknowledged", () -> broker.acknowledged().size() == 1);
            s.close();
            assertThat(broker.depth(FakePeer.queue("demo"))).isZero();
        }
    }

    @Test
    void aTransactedListenerCommitsAndRollsBack() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            fill(c, 2);
            Session s = c.createSession(Session.SESSION_TRANSACTED);
            AtomicInteger calls = new AtomicInteger();
            s.createConsumer(DEMO).setMessageListener(m -> {
                int n = calls.incrementAndGet();
                quietly(() -> {
                    if (n == 1) {
                        s.rollback();
                    } else {
                        s.commit();
                    }
                });
                heard.add(m);
            });
            assertThat(Clients.text(next())).isEqualTo("m0");
            assertThat(next().getJMSRedelivered()).isTrue();
            assertThat(Clients.text(next())).isEqualTo("m1");
            s.close();
            assertThat(broker.depth(FakePeer.queue("demo"))).isZero();
        }
    }

    private static void quietly(Runtimes.Task task) {
        Runtimes.run(task);
    }

    private CompletableFuture<JMSException> inListener(ClientConnection c, Session s, Runtimes.Task task)
            throws JMSException {
        CompletableFuture<JMSException> outcome = new CompletableFuture<>();
        s.createConsumer(DEMO).setMessageListener(m -> {
            try {
                task.run();
                outcome.complete(new JMSException("nothing was thrown"));
            } catch (JMSException e) {
                outcome.complete(e);
            }
        });
        fill(c, 1);
        return outcome;
    }

    @Test
    void aListenerMayNotCloseItsSessionNorStopOrCloseItsConnection() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            for (Forbidden f : Forbidden.values()) {
                Session s = c.createSession();
                Runtimes.Task task = switch (f) {
                    case CLOSE_SESSION -> s::close;
                    case STOP -> c::stop;
                    case CLOSE_CONNECTION -> c::close;
                };
                assertThat(inListener(c, s, task).get(3, TimeUnit.MINUTES)).isInstanceOf(IllegalStateException.class);
                s.close();
            }
        }
    }

    private enum Forbidden {
        CLOSE_SESSION,
        STOP,
        CLOSE_CONNECTION
    }

    @Test
    void allowCloseInOnMessageClosesWhenTheListenerReturns() throws Exception {
        try (ClientConnection c = Clients.started(broker, "allow-close-in-on-message=on")) {
            Session s = c.createSession();
            assertThat(inListener(c, s, s::close).get(3, TimeUnit.MINUTES)).hasMessage("nothing was thrown");
            FakeBroker.await(
                    "the session to close",
                    () -> broker.heard(FrameType.CLOSE_SESSION).contains("seen 1"));
            assertThatThrownBy(s::createMessage).isInstanceOf(IllegalStateException.class);
        }
        ClientConnection c = Clients.started(broker, "allow-close-in-on-message=on");
        assertThat(inListener(c, c.createSession(), c::close).get(3, TimeUnit.MINUTES))
                .hasMessage("nothing was thrown");
        FakeBroker.await("the connection to close", broker.peers::isEmpty);
    }

    @Test
    void aConsumerMayBeClosedInItsOwnListener() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            Session s = c.createSession();
            AtomicReference<MessageConsumer> consumer = new AtomicReference<>(s.createConsumer(DEMO));
            CompletableFuture<Message> got = new CompletableFuture<>();
            consumer.get().setMessageListener(m -> {
                quietly(consumer.get()::close);
                got.complete(m);
            });
            fill(c, 3);
            got.get(3, TimeUnit.MINUTES);
            FakeBroker.await("the acknowledgement", () -> broker.acknowledged().size() == 1);
            s.close();
            assertThat(broker.depth(FakePeer.queue("demo"))).isEqualTo(2);
        }
    }

    @Test
    void stopAndCloseWaitForTheListenerThatRuns() throws Exception {
        for (boolean stop : new boolean[] {true, false}) {
            ClientConnection c = Clients.started(broker);
            CountDownLatch entered = new CountDownLatch(1);
            CountDownLatch go = new CountDownLatch(1);
            AtomicInteger done = new AtomicInteger();
            c.createSession().createConsumer(DEMO).setMessageListener(m -> {
                entered.countDown();
                await(go);
                done.incrementAndGet();
            });
            fill(c, 3);
            await(entered);
            CompletableFuture<Integer> ended = new CompletableFuture<>();
            Thread.ofPlatform().start(() -> {
                quietly(stop ? c::stop : c::close);
                ended.complete(done.get());
            });
            assertThat(ended.isDone()).isFalse();
            go.countDown();
            int seen = ended.get(3, TimeUnit.MINUTES);
            assertThat(seen).isPositive();
            assertThat(done.get())
                    .as("no listener after stop or close returned")
                    .isEqualTo(seen);
            c.close();
        }
    }

    @Test
    void aSessionWithAListenerDoesNotReceive() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            Session s = c.createSession();
            s.createConsumer(DEMO).setMessageListener(heard::add);
            MessageConsumer other = s.createConsumer(DEMO);
            assertThatThrownBy(other::receiveNoWait).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void whatWasPushedBeforeTheListenerWentIsReceived() throws Exception {
        try (ClientConnection c = Clients.connect(broker)) {
            Session s = c.createSession();
            MessageConsumer consumer = s.createConsumer(DEMO);
            CountDownLatch entered = new CountDownLatch(1);
            consumer.setMessageListener(m -> {
                heard.add(m);
                quietly(() -> consumer.setMessageListener(null));
                entered.countDown();
            });
            fill(c, 3);
            c.start();
            await(entered);
            assertThat(Clients.text(next())).isEqualTo("m0");
            assertThat(Clients.text(consumer.receive(10_000))).isEqualTo("m1");
            assertThat(Clients.text(consumer.receive(10_000))).isEqualTo("m2");
            fill(c, 1);
            assertThat(Clients.text(consumer.receive(10_000))).isEqualTo("m0");
            assertThat(heard).isEmpty();
        }
    }

    @Test
    void messagesThatTheListenerDidNotSeeGoBackUnflagged() throws Exception {
        try (ClientConnection c = Clients.started(broker)) {
            fill(c, 3);
            CountDownLatch entered = new CountDownLatch(1);
            CountDownLatch go = new CountDownLatch(1);
            Session s = c.createSession();
            s.createConsumer(DEMO).setMessageListener(m -> {
                entered.countDown();
                await(go);
            });
            await(entered);
            Thread.ofPlatform().start(() -> {
                FakeBroker.await("the close", () -> ((ClientSession) s).core().isClosed());
                go.countDown();
            });
            s.close();
            assertThat(broker.depth(FakePeer.queue("demo"))).isEqualTo(2);
            MessageConsumer rest = c.createSession().createConsumer(DEMO);
            Message m1 = rest.receive(10_000);
            assertThat(Clients.text(m1)).isEqualTo("m1");
            assertThat(m1.getJMSRedelivered()).isFalse();
        }
    }
}
