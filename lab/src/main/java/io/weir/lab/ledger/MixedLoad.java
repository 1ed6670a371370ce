package io.weir.lab.ledger;

import io.weir.base.Chance;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/**
 * Applications of all kinds on two queues and a topic with durable subscriptions: senders outside and inside of
 * transactions, forwarders, and consumers of each acknowledge mode, with and without prefetched messages. Everything is
 * persistent except one sender's one-way messages: those may be lost when the server dies, and never come twice without
 * the flag. One instance for each life of the server: its death ends the workers and their connections ({@link
 * LastingLoad} has those that outlive it). Confined to its creator; its workers have a thread each.
 */
public final class MixedLoad {
    private static final String ONE = "ledger-one";
    private static final String TWO = "ledger-two";
    static final String NEWS = "ledger-news";
    private static final List<String> SUBSCRIPTIONS = List.of("first", "ahead", "second");
    private static final long RECEIVE_MILLIS = 100;
    private static final long JOIN_SECONDS = 30;
    private static final int SENDERS = 2;
    private final Ledger ledger;
    private final Clients clients;
    private final int life;
    private final RandomGenerator random;
    private final List<Thread> workers = new ArrayList<>();
    private final ConcurrentLinkedQueue<Throwable> bugs = new ConcurrentLinkedQueue<>();
    private volatile boolean working = true;

    /** @param life number of the server's life, for names */
    public MixedLoad(Ledger ledger, Clients clients, int life, Chance chance) {
        this.ledger = ledger;
        this.clients = clients;
        this.life = life;
        this.random = chance.random();
    }

    /** Creates the durable subscriptions; once, before the first load. */
    public static void prepare(Ledger ledger, Clients clients) throws JMSException {
        for (String each : SUBSCRIPTIONS) {
            ledger.subscription(NEWS, each);
            try (Connection connection = Clients.open(clients.plain(), each)) {
                Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                session.createDurableConsumer(topic(session), each).close();
            }
        }
    }

    /** Sends a message: it is promised when this returns. */
    public static void promise(Ledger ledger, Clients clients) throws JMSException {
        try (Connection connection = Clients.open(clients.plain())) {
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            Work work = ledger.work();
            Sent sent = ledger.send(work, "promise", TWO);
            session.createProducer(session.createQueue(TWO)).send(LedgerMessages.of(session, sent));
            work.done();
        }
    }

    /** Starts all workers. */
    public void start() {
        for (int i = 0; i < SENDERS; i++) {
            String name = "sender" + i;
            worker(name, r -> send(name, ONE, false));
        }
        worker("publisher", r -> send("publisher", NEWS, true));
        worker("transactions", this::sendTogether);
        worker("forwarder", this::forward);
        worker("one-way", this::sendOneWay);
        worker("auto", r -> receive("auto", ONE, clients.plain()));
        worker("auto-ahead", r -> receive("auto-ahead", ONE, clients.ahead()));
        worker("client", r -> receiveAndAcknowledge("client", clients.plain(), r));
        worker("client-ahead", r -> receiveAndAcknowledge("client-ahead", clients.ahead(), r));
        worker(SUBSCRIPTIONS.getFirst(), r -> subscribe(SUBSCRIPTIONS.getFirst(), clients.plain()));
        worker(SUBSCRIPTIONS.get(1), r -> subscribe(SUBSCRIPTIONS.get(1), clients.ahead()));
        worker(SUBSCRIPTIONS.getLast(), this::subscribeTransacted);
    }

    /** Lets the workers end, which they do at once if the server is dead; fails if one found a violation. */
    public void stop() throws InterruptedException {
        working = false;
        for (Thread each : workers) {
            each.join(TimeUnit.SECONDS.toMillis(JOIN_SECONDS));
            if (each.isAlive()) {
                throw new IllegalStateException(each.getName() + " hangs: "
                        + List.of(each.getStackTrace()).stream().limit(12).toList());
            }
        }
        Throwable bug = bugs.poll();
        if (bug != null) {
            throw new IllegalStateException(bug);
        }
    }

    /** Receives all remaining messages. */
    public void drain() throws JMSException {
        try (Connection connection = Clients.open(clients.plain())) {
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            connection.start();
            for (String each : List.of(ONE, TWO)) {
                empty(session.createConsumer(session.createQueue(each)), each, "drain" + life);
            }
        }
        for (String each : SUBSCRIPTIONS) {
            try (Connection connection = Clients.open(clients.plain(), each)) {
                Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                connection.start();
                empty(session.createDurableConsumer(topic(session), each), each, "drain" + life);
            }
        }
    }

    private void empty(MessageConsumer consumer, String subscription, String name) throws JMSException {
        for (Message m = consumer.receiveNoWait(); m != null; m = consumer.receiveNoWait()) {
            ledger.received(LedgerMessages.id(m), subscription, name, m.getJMSRedelivered());
        }
        consumer.close();
    }

    private static Topic topic(Session session) throws JMSException {
        return session.createTopic(NEWS);
    }

    private interface Job {
        void run(RandomGenerator chance) throws JMSException;
    }

    private void worker(String name, Job job) {
        RandomGenerator chance = Chance.seeded(random.nextLong()).random();
        Thread thread = new Thread(
                () -> {
                    try {
                        job.run(chance);
                    } catch (JMSException e) {
                        // the server died: work in progress stays unknown in the ledger
                        working = false;
                    } catch (RuntimeException e) {
                        bugs.add(e);
                        working = false;
                    }
                },
                name + " of life " + life);
        thread.setDaemon(true);
        workers.add(thread);
        thread.start();
    }

    private void send(String name, String destination, boolean topic) throws JMSException {
        try (Connection connection = Clients.open(clients.plain())) {
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            MessageProducer producer =
                    session.createProducer(topic ? session.createTopic(destination) : session.createQueue(destination));
            while (working) {
                Work work = ledger.work();
                Sent sent = ledger.send(work, name, destination);
                producer.send(LedgerMessages.of(session, sent));
                work.done();
            }
        }
    }

    /** Sends without a guarantee; now and then one send waits, so that the sender does not outrun the others. */
    private void sendOneWay(RandomGenerator chance) throws JMSException {
        try (Connection connection = Clients.open(clients.oneWay())) {
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            MessageProducer producer = session.createProducer(session.createQueue(ONE));
            producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            while (working) {
                producer.send(LedgerMessages.of(session, ledger.send(ledger.work(), "one-way", ONE)));
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(chance.nextInt(2000)));
            }
        }
    }

    private void sendTogether(RandomGenerator chance) throws JMSException {
        try (Connection connection = Clients.open(clients.plain())) {
            Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
            MessageProducer producer = session.createProducer(null);
            Queue one = session.createQueue(ONE);
            Queue two = session.createQueue(TWO);
            while (working) {
                Work work = ledger.work();
                for (int i = chance.nextInt(1, 6); i > 0; i--) {
                    boolean first = chance.nextBoolean();
                    Sent sent = ledger.send(work, "transactions", first ? ONE : TWO);
                    producer.send(first ? one : two, LedgerMessages.of(session, sent));
                }
                end(session, work, chance);
            }
        }
    }

    private static void end(Session session, Work work, RandomGenerator chance) throws JMSException {
        if (chance.nextInt(8) == 0) {
            session.rollback();
            work.rolledBack();
        } else {
            session.commit();
            work.done();
        }
    }

    private Receipt entered(Message message, String subscription, String consumer) throws JMSException {
        return ledger.received(LedgerMessages.id(message), subscription, consumer + life, message.getJMSRedelivered());
    }

    private void forward(RandomGenerator chance) throws JMSException {
        ledger.undone(ONE);
        try (Connection connection = Clients.open(clients.plain())) {
            Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
            MessageConsumer consumer = session.createConsumer(session.createQueue(ONE));
            MessageProducer producer = session.createProducer(session.createQueue(TWO));
            connection.start();
            while (working) {
                Message message = consumer.receive(RECEIVE_MILLIS);
                if (message == null) {
                    continue;
                }
                Work work = ledger.work();
                work.add(entered(message, ONE, "forwarder"));
                producer.send(LedgerMessages.of(session, ledger.send(work, "forwarder", TWO)));
                end(session, work, chance);
            }
        }
    }

    private void receive(String name, String queue, ConnectionFactory factory) throws JMSException {
        try (Connection connection = Clients.open(factory)) {
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            take(session.createConsumer(session.createQueue(queue)), connection, queue, name);
        }
    }

    private void subscribe(String subscription, ConnectionFactory factory) throws JMSException {
        try (Connection connection = Clients.open(factory, subscription)) {
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            take(session.createDurableConsumer(topic(session), subscription), connection, subscription, subscription);
        }
    }

    private void take(MessageConsumer consumer, Connection connection, String subscription, String name)
            throws JMSException {
        connection.start();
        while (working) {
            Message message = consumer.receive(RECEIVE_MILLIS);
            if (message != null) {
                ledger.automatic(entered(message, subscription, name), name);
            }
        }
    }

    private void receiveAndAcknowledge(String name, ConnectionFactory factory, RandomGenerator chance)
            throws JMSException {
        try (Connection connection = Clients.open(factory)) {
            Session session = connection.createSession(false, Session.CLIENT_ACKNOWLEDGE);
            MessageConsumer consumer = session.createConsumer(session.createQueue(TWO));
            connection.start();
            Work work = ledger.work();
            while (working) {
                Message message = consumer.receive(RECEIVE_MILLIS);
                if (message == null) {
                    continue;
                }
                work.add(entered(message, TWO, name));
                if (chance.nextInt(4) == 0) {
                    message.acknowledge();
                    work.done();
                    work = ledger.work();
                }
            }
        }
    }

    private void subscribeTransacted(RandomGenerator chance) throws JMSException {
        String subscription = SUBSCRIPTIONS.getLast();
        ledger.undone(subscription);
        try (Connection connection = Clients.open(clients.plain(), subscription)) {
            Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
            MessageConsumer consumer = session.createDurableConsumer(topic(session), subscription);
            connection.start();
            Work work = ledger.work();
            while (working) {
                Message message = consumer.receive(RECEIVE_MILLIS);
                if (message == null) {
                    continue;
                }
                work.add(entered(message, subscription, subscription));
                if (chance.nextInt(3) == 0) {
                    end(session, work, chance);
                    work = ledger.work();
                }
            }
        }
    }
}
