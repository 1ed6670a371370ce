package io.weir.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.SystemClock;
import io.weir.jms.WeirConnectionFactory;
import io.weir.lab.scenario.Counters;
import io.weir.lab.scenario.ProcessLauncher;
import io.weir.lab.scenario.ScenarioFailure;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sudden deaths at particular work: compaction, large transactions, durable subscriptions that come and go. */
@Tag("slow")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KillVariationsTest {
    private static final int LIVES = Integer.getInteger("weir.kill.lives", 2);
    private static final int WAIT_MILLIS = 120_000;
    private final long seed =
            Long.getLong("weir.kill.seed", Chance.unseeded().random().nextLong());
    private final RandomGenerator chance = Chance.seeded(seed).random();

    @TempDir
    Path folder = Path.of("");

    private interface Work {
        void with(Session session) throws JMSException;
    }

    /** Has a client work until the server dies under it, after some steps and some more time. */
    private void untilDeath(ProcessLauncher.Running server, boolean transacted, AtomicInteger steps, Work work)
            throws Exception {
        int atLeast = steps.get() + 1;
        AtomicReference<@Nullable Exception> end = new AtomicReference<>();
        Thread client = new Thread(
                () -> {
                    try (Connection c = factory(server).createConnection()) {
                        c.setClientID("client");
                        c.setExceptionListener(_ -> {});
                        c.start();
                        work.with(c.createSession(transacted, Session.AUTO_ACKNOWLEDGE));
                    } catch (JMSException | ScenarioFailure e) {
                        // the death: what was under way stays unknown
                        end.set(e);
                    }
                },
                "client");
        client.start();
        boolean worked = Servers.within(WAIT_MILLIS, () -> steps.get() >= atLeast || end.get() != null);
        assertThat(end.get()).isNull();
        assertThat(worked).isTrue();
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(chance.nextInt(300_000)));
        server.kill();
        client.join(WAIT_MILLIS);
        assertThat(client.isAlive()).isFalse();
    }

    @Tag("nightly")
    @Test
    void aDeathDuringALargeTransactionLeavesAllOfItOrNothing() throws Exception {
        int size = 100;
        AtomicInteger committed = new AtomicInteger();
        AtomicInteger begun = new AtomicInteger();
        for (int life = 0; life < LIVES; life++) {
            try (ProcessLauncher.Running server = start()) {
                untilDeath(server, true, committed, session -> {
                    MessageProducer producer = session.createProducer(session.createQueue("q"));
                    while (true) {
                        int number = begun.incrementAndGet();
                        for (int i = 0; i < size; i++) {
                            producer.send(session.createTextMessage(number + "/" + i));
                        }
                        session.commit();
                        committed.incrementAndGet();
                    }
                });
            }
        }
        int[] found = new int[begun.get() + 1];
        try (ProcessLauncher.Running server = start()) {
            for (String text : drain(server)) {
                found[Integer.parseInt(text.substring(0, text.indexOf('/')))]++;
            }
        }
        int whole = 0;
        for (int each : found) {
            assertThat(each).as("seed %d", seed).isIn(0, size);
            whole += each / size;
        }
        assertThat(whole).as("seed %d", seed).isBetween(committed.get(), begun.get());
    }

    @Test
    void aDeathDuringCompactionLosesAndRevivesNothing() throws Exception {
        AtomicInteger sent = new AtomicInteger();
        AtomicInteger steps = new AtomicInteger();
        Set<String> kept = ConcurrentHashMap.newKeySet();
        for (int life = 0; life < LIVES; life++) {
            try (ProcessLauncher.Running server = start()) {
                Counters counters = new Counters(server.port("admin"), SystemClock.INSTANCE);
                // one of ten stays behind in r, the others go: segments are mostly dead, compaction has work
                Work work = session -> {
                    MessageProducer q = session.createProducer(session.createQueue("q"));
                    MessageProducer r = session.createProducer(session.createQueue("r"));
                    MessageConsumer consumer = session.createConsumer(session.createQueue("q"));
                    while (true) {
                        int number = sent.incrementAndGet();
                        TextMessage m = session.createTextMessage(number + " " + "x".repeat(4000));
                        if (number % 10 == 0) {
                            r.send(m);
                            kept.add(m.getText());
                        } else {
                            q.send(m);
                            assertThat(consumer.receive(WAIT_MILLIS)).isNotNull();
                        }
                        if (number % 100 == 0 && counters.read().sum("weir_journal_relocated_total", "") > 0) {
                            steps.incrementAndGet();
                        }
                    }
                };
                untilDeath(server, false, steps, work);
            }
        }
        try (ProcessLauncher.Running server = start()) {
            List<String> left = browse(server);
            assertThat(left).as("seed %d", seed).containsAll(kept).doesNotHaveDuplicates();
            assertThat(left.size()).as("seed %d", seed).isBetween(kept.size(), kept.size() + LIVES);
            assertThat(drain(server).size())
                    .as("seed %d: only what was under way is in doubt", seed)
                    .isLessThanOrEqualTo(2 * LIVES);
        }
    }

    @Tag("nightly")
    @Test
    void durableSubscriptionsThatWereMadeAreThereAndThoseRemovedAreNot() throws Exception {
        AtomicInteger steps = new AtomicInteger();
        Set<String> there = ConcurrentHashMap.newKeySet();
        Set<String> gone = ConcurrentHashMap.newKeySet();
        for (int life = 0; life < LIVES; life++) {
            int number = life;
            try (ProcessLauncher.Running server = start()) {
                untilDeath(server, false, steps, session -> {
                    for (int i = 0; ; i++) {
                        String name = "s" + number + "-" + i;
                        session.createDurableConsumer(session.createTopic("t"), name)
                                .close();
                        if (i % 3 == 0) {
                            there.add(name);
                        } else {
                            session.unsubscribe(name);
                            gone.add(name);
                        }
                        steps.incrementAndGet();
                    }
                });
            }
        }
        try (ProcessLauncher.Running server = start();
                Connection c = factory(server).createConnection()) {
            c.setClientID("client");
            Session session = c.createSession();
            session.createProducer(session.createTopic("t")).send(session.createTextMessage("to all"));
            c.start();
            for (String name : there) {
                try (MessageConsumer consumer = session.createDurableConsumer(session.createTopic("t"), name)) {
                    assertThat(consumer.receive(WAIT_MILLIS))
                            .as("seed %d: %s", seed, name)
                            .isNotNull();
                }
            }
            for (String name : gone) {
                try (MessageConsumer consumer = session.createDurableConsumer(session.createTopic("t"), name)) {
                    assertThat(consumer.receiveNoWait())
                            .as("seed %d: %s", seed, name)
                            .isNull();
                }
            }
        }
    }

    private static List<String> browse(ProcessLauncher.Running server) throws JMSException {
        List<String> all = new ArrayList<>();
        try (Connection c = factory(server).createConnection()) {
            Session session = c.createSession();
            c.start();
            var each = session.createBrowser(session.createQueue("r")).getEnumeration();
            while (each.hasMoreElements()) {
                all.add(((TextMessage) each.nextElement()).getText());
            }
        }
        return all;
    }

    private static List<String> drain(ProcessLauncher.Running server) throws JMSException {
        List<String> all = new ArrayList<>();
        try (Connection c = factory(server).createConnection()) {
            Session session = c.createSession();
            MessageConsumer consumer = session.createConsumer(session.createQueue("q"));
            c.start();
            for (Message m = consumer.receiveNoWait(); m != null; m = consumer.receiveNoWait()) {
                all.add(m.getBody(String.class));
            }
        }
        return all;
    }

    private static WeirConnectionFactory factory(ProcessLauncher.Running server) {
        return new WeirConnectionFactory("weir://127.0.0.1:" + server.port("messaging") + "?reconnect-policy=none");
    }

    private ProcessLauncher.Running start() throws Exception {
        Path config = Files.writeString(folder.resolve("weir.yaml"), """
                listeners:
                  messaging: {protocol: weir, address: 127.0.0.1, port: 0}
                admin: {port: 0}
                messaging:
                  queues: {q: {}, r: {}}
                  topics: {t: {}}
                  limits: {subscriptions-per-topic: 100000}
                  journal: {max-file-size: 64KiB}
                """);
        return Servers.launcher().start(config, folder.resolve("data"), List.of());
    }
}
