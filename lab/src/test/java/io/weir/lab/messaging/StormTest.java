package io.weir.lab.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Consumers of every kind that come and go, roll back, recover, stop and start while producers of every kind send: each
 * message is accepted exactly once, whatever was redelivered is flagged, nothing else is.
 */
@Timeout(300)
@Tag("slow")
class StormTest {
    @RegisterExtension
    static final OneServer SERVER = new OneServer();

    private static final int PRODUCERS = 3;
    private static final int EACH = 200;
    private static final long MILLIS = 100;

    /** Deliveries by text so far, and what was settled. */
    private final Map<String, Integer> deliveries = new ConcurrentHashMap<>();

    private final Set<String> accepted = ConcurrentHashMap.newKeySet();
    private final List<String> wrong = new CopyOnWriteArrayList<>();

    private boolean done() {
        return accepted.size() >= PRODUCERS * EACH || !wrong.isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"1,q,10", "2,q,1", "3,q,-1", "4,t,10", "5,t,1", "6,q,10", "7,t,-1", "8,q,3"})
    void everyMessageIsAcceptedOnce(long seed, String name, int window) throws Exception {
        Chance chance = Chance.seeded(seed);
        try (Connection c =
                SERVER.factory("messages-maximum=" + window, "client-id=storm").createConnection()) {
            if (name.equals("t")) {
                try (Session s = c.createSession()) {
                    s.createSharedDurableConsumer(s.createTopic("t"), "storm").close();
                }
            }
            c.start();
            storm(c, name, chance);
            if (name.equals("t")) {
                try (Session s = c.createSession()) {
                    s.unsubscribe("storm");
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(accepted).hasSize(PRODUCERS * EACH);
        assertThat(deliveries.values()).as("redeliveries").anyMatch(n -> n > 2);
    }

    private void storm(Connection c, String name, Chance chance) {
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            for (int i = 0; i < PRODUCERS; i++) {
                int number = i;
                Chance own = chance.split();
                run(threads, () -> produce(name, number, own));
            }
            for (int mode :
                    new int[] {Session.SESSION_TRANSACTED, Session.CLIENT_ACKNOWLEDGE, Session.AUTO_ACKNOWLEDGE}) {
                Chance own = chance.split();
                run(threads, () -> consume(c, name, mode, own));
            }
            Chance own = chance.split();
            run(threads, () -> {
                while (!done()) {
                    listen(c, name, own);
                }
            });
        }
    }

    /** What a thread does. */
    private interface Work {
        void run() throws JMSException;
    }

    private void run(ExecutorService threads, Work work) {
        threads.execute(() -> {
            try {
                work.run();
            } catch (JMSException | RuntimeException e) {
                wrong.add(e.toString());
            }
        });
    }

    private static Destination destination(Session s, String name) throws JMSException {
        return name.equals("t") ? s.createTopic(name) : s.createQueue(name);
    }

    private static MessageConsumer consumer(Session s, String name) throws JMSException {
        return name.equals("t")
                ? s.createSharedDurableConsumer((Topic) destination(s, name), "storm")
                : s.createConsumer(destination(s, name));
    }

    private void produce(String name, int number, Chance chance) throws JMSException {
        try (Connection c = SERVER.factory().createConnection();
                Session s = c.createSession(number == 0 ? Session.SESSION_TRANSACTED : Session.AUTO_ACKNOWLEDGE)) {
            MessageProducer p = s.createProducer(destination(s, name));
            for (int i = 0; i < EACH; i++) {
                int mode = chance.random().nextInt(2) == 0 ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT;
                p.send(
                        s.createTextMessage("p" + number + "-" + i),
                        mode,
                        chance.random().nextInt(10),
                        0);
                if (number == 0 && (i % 10 == 9)) {
                    s.commit();
                }
            }
        }
    }

    /** Notes a delivery; count and flag must be what was seen before. */
    private void note(Message m, boolean accept) throws JMSException {
        String text = m.getBody(String.class);
        int count = m.getIntProperty("JMSXDeliveryCount");
        int expected = deliveries.merge(text, 1, Integer::sum);
        if (count != expected || m.getJMSRedelivered() != count > 1) {
            wrong.add(text + " came with count " + count + ", it is delivery " + expected);
        }
        if (accept && !accepted.add(text)) {
            wrong.add(text + " was accepted twice");
        }
    }

    private void consume(Connection c, String name, int mode, Chance chance) throws JMSException {
        while (!done()) {
            try (Session s = c.createSession(mode)) {
                MessageConsumer in = consumer(s, name);
                for (int round = chance.random().nextInt(10); round >= 0 && !done(); round--) {
                    batch(s, in, mode, chance);
                    if (chance.random().nextInt(8) == 0) {
                        in.close();
                        in = consumer(s, name);
                    }
                }
            }
        }
    }

    /** Takes some messages, then accepts all of them or gives all of them back. */
    private void batch(Session s, MessageConsumer in, int mode, Chance chance) throws JMSException {
        boolean accept = mode == Session.AUTO_ACKNOWLEDGE || chance.random().nextInt(3) > 0;
        List<Message> taken = new ArrayList<>();
        for (int i = chance.random().nextInt(6); i >= 0; i--) {
            Message m = chance.random().nextInt(2) == 0 ? in.receiveNoWait() : in.receive(MILLIS);
            if (m != null) {
                note(m, accept);
                taken.add(m);
            }
        }
        if (taken.isEmpty()) {
            return;
        }
        if (mode == Session.SESSION_TRANSACTED) {
            if (accept) {
                s.commit();
            } else {
                s.rollback();
            }
        } else if (mode == Session.CLIENT_ACKNOWLEDGE) {
            if (accept) {
                taken.getLast().acknowledge();
            } else {
                s.recover();
            }
        }
    }

    /** A transacted listener for some messages, then it goes. */
    private void listen(Connection c, String name, Chance chance) throws JMSException {
        AtomicInteger left = new AtomicInteger(1 + chance.random().nextInt(30));
        try (Session s = c.createSession(Session.SESSION_TRANSACTED)) {
            consumer(s, name).setMessageListener(m -> {
                try {
                    boolean accept = chance.random().nextInt(4) > 0;
                    note(m, accept);
                    if (accept) {
                        s.commit();
                    } else {
                        s.rollback();
                    }
                } catch (JMSException | RuntimeException e) {
                    wrong.add(e.toString());
                }
                left.decrementAndGet();
            });
            Await.until("listened", () -> left.get() <= 0 || done());
        }
    }
}
