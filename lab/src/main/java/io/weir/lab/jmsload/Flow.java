package io.weir.lab.jmsload;

import io.weir.base.Clock;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Producers send as fast as they can, consumers receive. Lives for one turn. */
final class Flow {
    private static final long RAMP = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long DRAIN = TimeUnit.SECONDS.toNanos(10);
    private static final long QUIET = TimeUnit.MILLISECONDS.toNanos(200);
    /** How long a thread sleeps, so that it does not wake for each of many messages. */
    private static final long NAP = TimeUnit.MICROSECONDS.toNanos(200);

    private static final long SLOW = TimeUnit.MILLISECONDS.toNanos(10);
    private final Turn turn;
    private final ConnectionFactory factory;
    private final Destination destination;
    private final Clock clock;
    private final Meter meter;
    private final AtomicBoolean sending = new AtomicBoolean(true);
    private final AtomicBoolean taking = new AtomicBoolean(true);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final List<Connection> connections = new ArrayList<>();
    /** Those of the consumers. */
    private final List<Connection> consuming = new ArrayList<>();

    private final List<Thread> producers = new ArrayList<>();
    private final List<Thread> consumers = new ArrayList<>();

    Flow(Turn turn, ConnectionFactory factory, Destination destination, Clock clock) {
        this.turn = turn;
        this.factory = factory;
        this.destination = destination;
        this.clock = clock;
        this.meter = new Meter(clock);
    }

    /** Runs it; calls {@code measuring} when the load is steady. */
    Measured run(Runnable measuring) throws JMSException, InterruptedException {
        try {
            for (int i = 0; i < turn.subscribers(); i++) {
                consumer(i);
            }
            for (int i = 0; i < turn.slow(); i++) {
                slow("slow-" + i);
            }
            for (int i = 0; i < turn.producers(); i++) {
                producer(i);
            }
            pause(RAMP);
            measuring.run();
            long[] before = consumerTimes();
            Meter.Window window = meter.watch(turn.millis());
            double busy = busiest(before, consumerTimes(), window.seconds());
            return new Measured(window.done(), window.sent(), window.seconds(), window.deviation(), busy, 0, 0, 0, 0);
        } finally {
            end();
        }
    }

    /** Stops and empties the destination, so that the next turn starts with an empty one. */
    private void end() throws JMSException, InterruptedException {
        sending.set(false);
        for (Thread each : producers) {
            each.join(DRAIN / 1_000_000);
        }
        drain();
        taking.set(false);
        for (Thread each : consumers) {
            each.join(DRAIN / 1_000_000);
        }
        for (Connection each : connections) {
            each.close();
        }
        Throwable cause = failure.get();
        if (cause != null) {
            throw new IllegalStateException("the load failed: " + cause, cause);
        }
    }

    private void drain() {
        long deadline = clock.nanos() + DRAIN;
        long seen = -1;
        while (seen != meter.done() && clock.nanos() - deadline < 0) {
            seen = meter.done();
            pause(QUIET);
        }
    }

    private void pause(long nanos) {
        long until = clock.nanos() + nanos;
        for (long left = nanos; left > 0; left = until - clock.nanos()) {
            LockSupport.parkNanos(left);
        }
    }

    private Session session(int acknowledgeMode) throws JMSException {
        Connection connection = factory.createConnection();
        connections.add(connection);
        return connection.createSession(false, acknowledgeMode);
    }

    /** A consumer's session; several consumers can share a connection. */
    private Session consumers(int number, int acknowledgeMode) throws JMSException {
        if (number < turn.connections() || turn.connections() == 0) {
            Session session = session(acknowledgeMode);
            consuming.add(connections.getLast());
            return session;
        }
        return consuming.get(number % turn.connections()).createSession(false, acknowledgeMode);
    }

    private void consumer(int number) throws JMSException {
        // for equal guarantees: Weir's AUTO_ACKNOWLEDGE waits for a forced write each time, others' does not by default
        boolean automatic = turn.automatic() || !turn.persistent();
        Session session = consumers(number, automatic ? Session.AUTO_ACKNOWLEDGE : Session.DUPS_OK_ACKNOWLEDGE);
        MessageConsumer consumer = session.createConsumer(destination);
        if (turn.listening()) {
            consumer.setMessageListener(m -> meter.arrived());
        } else {
            consumers.add(started("consumer " + number, () -> take(consumer)));
        }
        consuming.getLast().start();
    }

    /** A durable subscriber that cannot keep up. Its subscription ends with the turn. */
    private void slow(String name) throws JMSException {
        Connection connection = factory.createConnection();
        connection.setClientID(name);
        connections.add(connection);
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        MessageConsumer consumer = session.createDurableConsumer((Topic) destination, name);
        connection.start();
        consumers.add(started(name, () -> {
            while (taking.get()) {
                consumer.receive(50);
                LockSupport.parkNanos(SLOW);
            }
            consumer.close();
            session.unsubscribe(name);
        }));
    }

    private void producer(int number) throws JMSException {
        Session session = session(Session.AUTO_ACKNOWLEDGE);
        MessageProducer producer = session.createProducer(destination);
        producer.setDeliveryMode(turn.persistent() ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(new byte[turn.bytes()]);
        producers.add(started("producer " + number, () -> give(producer, message)));
    }

    private void give(MessageProducer producer, BytesMessage message) throws JMSException {
        double rate = turn.rate() / turn.producers();
        long start = clock.nanos();
        for (long sent = 0; sending.get(); sent++) {
            if (rate > 0) {
                await(start + (long) (sent / rate * 1e9));
            }
            try {
                producer.send(message);
                meter.departed();
            } catch (ResourceAllocationException e) {
                // over quota: an application tries again
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
        }
    }

    /** Waits for a fixed time; a delayed thread catches up. */
    private void await(long nanos) {
        for (long left = nanos - clock.nanos(); left > 0 && sending.get(); left = nanos - clock.nanos()) {
            LockSupport.parkNanos(Math.max(left, NAP));
        }
    }

    private void take(MessageConsumer consumer) throws JMSException {
        while (taking.get()) {
            if (consumer.receive(50) != null) {
                meter.arrived();
            }
        }
    }

    private interface Work {
        void run() throws JMSException;
    }

    private Thread started(String name, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (JMSException | RuntimeException e) {
                        failure.compareAndSet(null, e);
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private long[] consumerTimes() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return consumers.stream()
                .mapToLong(t -> threads.getThreadCpuTime(t.threadId()))
                .toArray();
    }

    private static double busiest(long[] before, long[] after, double seconds) {
        double most = 0;
        for (int i = 0; i < before.length; i++) {
            most = Math.max(most, (after[i] - before[i]) / 1e9 / seconds);
        }
        return most;
    }
}
