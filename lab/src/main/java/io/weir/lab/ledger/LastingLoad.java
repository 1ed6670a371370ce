package io.weir.lab.ledger;

import io.weir.base.Chance;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TransactionRolledBackException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * Applications whose connections outlive the server ({@code reconnect-policy=all}), with separate destinations and a
 * durable subscription of the mixed load's topic: senders, receivers of each acknowledge mode with prefetched messages,
 * two of them on one queue, a listener, and a sender of one-way messages.
 *
 * <p>Rule for one-way sends, which are not persistent: a server's death may lose them and nothing else does; they never
 * come twice without the flag. Those that a settling load sends, to a server that lives, are promised like all others.
 *
 * <p>Between two deaths it {@link #settle settles}: senders pause, and all that was sent before has arrived. Confined
 * to its maker; its workers have a thread each.
 */
public final class LastingLoad implements AutoCloseable {
    /** The subscription of the mixed load's topic. */
    private static final String SUBSCRIPTION = "steady";

    private static final String AUTO = "ledger-steady-auto";
    private static final String CLIENT = "ledger-steady-client";
    private static final String WORK = "ledger-steady-work";
    private static final String LISTEN = "ledger-steady-listen";
    private static final String PAIR = "ledger-steady-pair";
    private static final List<String> QUEUES = List.of(AUTO, CLIENT, WORK, LISTEN, PAIR);
    /** The two receivers of one queue. */
    private static final List<String> PAIRED = List.of("pair-one", "pair-two");

    private static final long RECEIVE_MILLIS = 100;
    private static final int PATIENCE_SECONDS = 60;
    /** A worker that fails this often in a row does not recover. */
    private static final int MAX_FAILURES = 50;

    private static final int MOST_PAUSES = 10;
    private static final int MOST_TOGETHER = 6;
    /** More than a prefetched batch. */
    private static final int FIRST_TOGETHER = 15;

    private final Ledger ledger;
    private final Clients clients;
    private final String name;
    private final RandomGenerator random;
    private final List<Thread> workers = new ArrayList<>();
    private final ConcurrentLinkedQueue<Throwable> bugs = new ConcurrentLinkedQueue<>();
    /** Coordinates the senders and the thread that settles the load: phases of work and of pause alternate. */
    private final Phaser phaser = new Phaser(1);

    private final AtomicInteger ready = new AtomicInteger();
    private final AtomicInteger receipts = new AtomicInteger();
    /** The last messages before the load is settled; those that have arrived are removed. */
    private final Set<String> awaited = ConcurrentHashMap.newKeySet();

    private final Set<String> came = ConcurrentHashMap.newKeySet();
    /** Whether there are messages for all receivers. */
    private volatile boolean begun;

    private volatile boolean settling;
    /** Whether the last messages were sent. */
    private volatile boolean silent;

    private volatile boolean working = true;

    /** @param name of this load, for the ledger */
    public LastingLoad(Ledger ledger, Clients clients, String name, Chance chance) {
        this.ledger = ledger;
        this.clients = clients;
        this.name = name;
        this.random = chance.random();
    }

    /** Creates the durable subscription; once, before the first load. */
    public static void prepare(Ledger ledger, Clients clients) throws JMSException {
        ledger.subscription(MixedLoad.NEWS, SUBSCRIPTION);
        QUEUES.forEach(ledger::undone);
        ledger.undone(SUBSCRIPTION);
        try (Connection connection = Clients.open(clients.plain(), SUBSCRIPTION)) {
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            session.createDurableConsumer(session.createTopic(MixedLoad.NEWS), SUBSCRIPTION)
                    .close();
        }
    }

    /** Starts all workers; returns when all are connected. From then on they survive failures. */
    public void start() {
        sender("steady", this::send);
        sender("steady-one-way", this::sendOneWay);
        worker("auto", r -> receive("auto", AUTO, r));
        PAIRED.forEach(each -> worker(each, r -> receive(each, PAIR, r)));
        worker("subscriber", this::subscribe);
        worker("client", this::receiveAndAcknowledge);
        worker("forwarder", this::forward);
        worker("listener", this::listen);
        if (!soon(() -> ready.get() == workers.size())) {
            throw new IllegalStateException(name + ": not all can connect\n" + stacks());
        }
    }

    /**
     * With a living server: makes the senders send a last message and waits until it has arrived everywhere.
     *
     * @return the last messages that did not arrive, which is an error
     */
    public List<String> settle() {
        settling = true;
        int phase = phaser.arrive();
        if (!soon(() -> phaser.getPhase() != phase)) {
            throw new IllegalStateException(name + ": a sender does not recover\n" + stacks());
        }
        // one may have the last message while the other still has prefetched ones
        awaited.addAll(PAIRED);
        silent = true;
        soon(() -> came.containsAll(awaited));
        Set<String> missing = new TreeSet<>(awaited);
        missing.removeAll(came);
        return List.copyOf(missing);
    }

    /** Waits for a condition; fails at once if a worker found a violation. */
    private boolean soon(BooleanSupplier condition) {
        for (long i = 0; i < TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS); i++) {
            check();
            if (condition.getAsBoolean()) {
                return true;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        return false;
    }

    /** Lets all workers continue. */
    public void resume() {
        begun = false;
        settling = false;
        silent = false;
        awaited.clear();
        came.clear();
        phaser.arrive();
    }

    /** Waits until there are messages for all receivers. */
    public void awaitBegun() {
        if (!soon(() -> begun)) {
            throw new IllegalStateException(name + ": nothing is sent\n" + stacks());
        }
    }

    private void check() {
        Throwable bug = bugs.poll();
        if (bug != null) {
            throw new IllegalStateException(name + "\n" + stacks(), bug);
        }
    }

    private String stacks() {
        StringBuilder all = new StringBuilder();
        for (Thread each : workers) {
            all.append(each.getName())
                    .append(List.of(each.getStackTrace()).stream().limit(12).toList())
                    .append('\n');
        }
        return all.toString();
    }

    /** With a living server and a settled load: ends the workers, which close their connections. */
    @Override
    public void close() {
        working = false;
        resume();
        phaser.forceTermination();
        for (Thread each : workers) {
            try {
                each.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (each.isAlive()) {
                throw new IllegalStateException(name + ": " + each.getName() + " hangs\n" + stacks());
            }
        }
        check();
    }

    private interface Job {
        void run(RandomGenerator chance) throws JMSException;
    }

    private void sender(String job, Job sending) {
        phaser.register();
        worker(job, sending);
    }

    private void worker(String job, Job work) {
        RandomGenerator chance = Chance.seeded(random.nextLong()).random();
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run(chance);
                    } catch (JMSException | RuntimeException e) {
                        // a lasting connection must not end
                        bugs.add(e);
                    }
                },
                job + " of " + name);
        thread.setDaemon(true);
        workers.add(thread);
        thread.start();
    }

    /** A step that fails when the link is lost, and is repeated. */
    private interface Step {
        void run() throws JMSException;
    }

    /** Repeats a step despite failures for as long as the load works. */
    private void lasting(Step step) throws JMSException {
        ready.incrementAndGet();
        int failures = 0;
        while (working) {
            try {
                step.run();
                failures = 0;
            } catch (JMSException e) {
                // the server died: work in progress stays unknown in the ledger
                failures++;
                if (failures > MAX_FAILURES) {
                    throw e;
                }
            }
        }
    }

    private static void pause(RandomGenerator chance, int mostMicros) {
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(chance.nextInt(mostMicros)));
    }

    // ---- senders

    /** Sends the last messages once the load is settling, and waits until it continues. */
    private void settled(Step lastWords) throws JMSException {
        lastWords.run();
        phaser.arriveAndAwaitAdvance();
        phaser.arriveAndAwaitAdvance();
    }

    /**
     * Sends several at once, so that messages wait for the receivers when the server dies, however slow the machine is.
     */
    private void send(RandomGenerator chance) throws JMSException {
        try (Connection connection = Clients.open(clients.lasting())) {
            Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
            MessageProducer producer = session.createProducer(null);
            List<String> all = new ArrayList<>(QUEUES);
            all.add(MixedLoad.NEWS);
            AtomicBoolean first = new AtomicBoolean(true);
            lasting(() -> {
                if (settling) {
                    settled(() -> {
                        first.set(true);
                        List<Sent> last = send(session, producer, all, 1);
                        last.forEach(each -> await(each.destination(), each));
                    });
                } else if (first.getAndSet(false)) {
                    send(session, producer, all, FIRST_TOGETHER);
                    begun = true;
                } else {
                    List<String> one = List.of(all.get(chance.nextInt(all.size())));
                    send(session, producer, one, chance.nextInt(1, MOST_TOGETHER));
                    pause(chance, 5000);
                }
            });
        }
    }

    private List<Sent> send(Session session, MessageProducer producer, List<String> to, int each) throws JMSException {
        Work work = ledger.work();
        for (int i = 0; i < each; i++) {
            for (String d : to) {
                Sent sent = ledger.send(work, name, d);
                producer.send(
                        d.equals(MixedLoad.NEWS) ? session.createTopic(d) : session.createQueue(d),
                        LedgerMessages.of(session, sent));
            }
        }
        if (!committed(session, work)) {
            throw new JMSException("rolled back with the link on which it began");
        }
        return work.sends();
    }

    private void await(String destination, Sent last) {
        awaited.add(last.id() + " at " + (destination.equals(MixedLoad.NEWS) ? SUBSCRIPTION : destination));
    }

    private void sendOneWay(RandomGenerator chance) throws JMSException {
        try (Connection connection = Clients.open(clients.lasting())) {
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            MessageProducer producer = session.createProducer(session.createQueue(AUTO));
            lasting(() -> {
                if (settling) {
                    settled(() -> sendOneWaySafely(session, producer));
                } else {
                    sendOneWay(session, producer);
                    pause(chance, 2000);
                }
            });
        }
    }

    private Work sendOneWay(Session session, MessageProducer producer) throws JMSException {
        Work work = ledger.work();
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        producer.send(LedgerMessages.of(session, ledger.send(work, name + "-one-way", AUTO)));
        return work;
    }

    /** Between two synchronous sends on the same link of a living server, one-way sends are guaranteed. */
    private void sendOneWaySafely(Session session, MessageProducer producer) throws JMSException {
        sendAndWait(session, producer);
        List<Work> between = new ArrayList<>();
        for (int i = 0; i < Clients.WINDOW; i++) {
            between.add(sendOneWay(session, producer));
        }
        Sent last = sendAndWait(session, producer);
        between.forEach(Work::done);
        await(AUTO, last);
    }

    private Sent sendAndWait(Session session, MessageProducer producer) throws JMSException {
        producer.setDeliveryMode(DeliveryMode.PERSISTENT);
        Work work = ledger.work();
        Sent sent = ledger.send(work, name + "-waiting", AUTO);
        producer.send(LedgerMessages.of(session, sent));
        work.done();
        return sent;
    }

    // ---- receivers

    private Receipt entered(Message message, String subscription, String consumer) throws JMSException {
        return ledger.received(
                LedgerMessages.id(message), subscription, name + "-" + consumer, message.getJMSRedelivered());
    }

    private void came(Receipt receipt) {
        if (settling) {
            came.add(receipt.id() + " at " + receipt.subscription());
        }
    }

    private void receive(String consumer, String queue, RandomGenerator chance) throws JMSException {
        try (Connection connection = Clients.open(clients.lasting())) {
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            take(connection, session.createConsumer(session.createQueue(queue)), queue, consumer, chance);
        }
    }

    private void subscribe(RandomGenerator chance) throws JMSException {
        try (Connection connection = Clients.open(clients.lasting(), SUBSCRIPTION)) {
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            MessageConsumer consumer = session.createDurableConsumer(session.createTopic(MixedLoad.NEWS), SUBSCRIPTION);
            take(connection, consumer, SUBSCRIPTION, "subscriber", chance);
        }
    }

    private void take(Connection connection, MessageConsumer consumer, String from, String by, RandomGenerator chance)
            throws JMSException {
        connection.start();
        lasting(() -> {
            boolean looking = silent && !came.contains(by);
            Message message = looking ? consumer.receiveNoWait() : consumer.receive(RECEIVE_MILLIS);
            if (message != null) {
                // messages prefetched by one receiver at a death may go to the other, and out of order
                Receipt receipt = entered(message, from, from.equals(PAIR) ? by + receipts.incrementAndGet() : by);
                ledger.automatic(receipt, name + "-" + by);
                came(receipt);
                slow(chance);
            } else if (looking) {
                came.add(by);
            }
        });
    }

    /** Receives slowly enough that some prefetched messages wait. */
    private void slow(RandomGenerator chance) {
        for (int i = chance.nextInt(MOST_PAUSES); i > 0 && !settling; i--) {
            pause(chance, 10_000);
        }
    }

    private void receiveAndAcknowledge(RandomGenerator chance) throws JMSException {
        try (Connection connection = Clients.open(clients.lasting())) {
            Session session = connection.createSession(false, Session.CLIENT_ACKNOWLEDGE);
            MessageConsumer consumer = session.createConsumer(session.createQueue(CLIENT));
            connection.start();
            List<Work> now = new ArrayList<>(List.of(ledger.work()));
            lasting(() -> {
                Message message = consumer.receive(RECEIVE_MILLIS);
                if (message == null) {
                    return;
                }
                Receipt receipt = entered(message, CLIENT, "client");
                Work work = now.getFirst();
                work.add(receipt);
                came(receipt);
                if (settling || chance.nextInt(4) == 0) {
                    now.set(0, ledger.work());
                    // it may fail because the link was lost; then nothing is acknowledged
                    message.acknowledge();
                    work.done();
                }
                slow(chance);
            });
        }
    }

    private void forward(RandomGenerator chance) throws JMSException {
        try (Connection connection = Clients.open(clients.lasting())) {
            Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
            MessageConsumer consumer = session.createConsumer(session.createQueue(WORK));
            MessageProducer producer = session.createProducer(session.createQueue(AUTO));
            connection.start();
            lasting(() -> {
                Message message = consumer.receive(RECEIVE_MILLIS);
                if (message == null) {
                    return;
                }
                Work work = ledger.work();
                Receipt receipt = entered(message, WORK, "forwarder");
                work.add(receipt);
                Sent sent = ledger.send(work, name + "-forwarder", AUTO);
                producer.send(LedgerMessages.of(session, sent));
                slow(chance);
                if (!settling && chance.nextInt(8) == 0) {
                    session.rollback();
                    work.rolledBack();
                    return;
                }
                if (committed(session, work)) {
                    if (settling) {
                        await(AUTO, sent);
                    }
                    came(receipt);
                }
            });
        }
    }

    private static boolean committed(Session session, Work work) throws JMSException {
        try {
            session.commit();
            work.done();
            return true;
        } catch (TransactionRolledBackException e) {
            // it started on a link that was lost
            work.rolledBack();
            return false;
        }
    }

    private void listen(RandomGenerator chance) throws JMSException {
        try (Connection connection = Clients.open(clients.lasting())) {
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            session.createConsumer(session.createQueue(LISTEN)).setMessageListener(message -> {
                try {
                    Receipt receipt = entered(message, LISTEN, "listener");
                    ledger.automatic(receipt, name + "-listener");
                    came(receipt);
                } catch (JMSException | RuntimeException e) {
                    bugs.add(e);
                }
                slow(chance);
            });
            connection.start();
            ready.incrementAndGet();
            while (working) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(RECEIVE_MILLIS));
            }
        }
    }
}
