package io.weir.lab.jmsload;

import io.weir.base.Clock;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Requests over a queue, replies over a temporary queue of each requester. Requesters send the next request as soon as
 * they have their reply (a closed loop), or at fixed times (an open one): latency is then counted from that time, so
 * that a slow reply also counts for the requests delayed by it. Lives for one turn.
 */
final class RoundTrips {
    private static final long RAMP = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long ANSWER_SECONDS = 10;
    private final Turn turn;
    private final ConnectionFactory factory;
    private final Destination questions;
    private final Clock clock;
    private final Meter meter;
    private final Histogram nanos = new ConcurrentHistogram(TimeUnit.MINUTES.toNanos(2), 3);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final List<Connection> connections = new ArrayList<>();
    private final List<Thread> askers = new ArrayList<>();
    private volatile boolean asking = true;
    private volatile boolean recording;

    RoundTrips(Turn turn, ConnectionFactory factory, Destination questions, Clock clock) {
        this.turn = turn;
        this.factory = factory;
        this.questions = questions;
        this.clock = clock;
        this.meter = new Meter(clock);
    }

    Measured run(Runnable measuring) throws JMSException, InterruptedException {
        Measured measured;
        try {
            measured = measure(measuring);
        } finally {
            end();
        }
        Throwable cause = failure.get();
        if (cause != null) {
            throw new IllegalStateException("the load failed: " + cause, cause);
        }
        return measured;
    }

    private Measured measure(Runnable measuring) throws JMSException {
        answerer();
        for (int i = 0; i < turn.producers(); i++) {
            asker(i);
        }
        long ramp = clock.nanos() + RAMP;
        for (long left = RAMP; left > 0; left = ramp - clock.nanos()) {
            LockSupport.parkNanos(left);
        }
        recording = true;
        measuring.run();
        Meter.Window w = meter.watch(turn.millis());
        recording = false;
        return new Measured(
                w.done(), w.sent(), w.seconds(), w.deviation(), 0, micros(50), micros(99), micros(99.9), micros(100));
    }

    private void end() throws JMSException, InterruptedException {
        asking = false;
        for (Thread each : askers) {
            each.join(TimeUnit.SECONDS.toMillis(ANSWER_SECONDS));
        }
        for (Connection each : connections) {
            each.close();
        }
    }

    private double micros(double percentile) {
        return nanos.getValueAtPercentile(percentile) / 1e3;
    }

    private Session session() throws JMSException {
        Connection connection = factory.createConnection();
        connections.add(connection);
        return connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
    }

    private void answerer() throws JMSException {
        Session session = session();
        MessageProducer producer = session.createProducer(null);
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        session.createConsumer(questions).setMessageListener(question -> answer(session, producer, question));
        connections.getLast().start();
    }

    private void answer(Session session, MessageProducer producer, Message question) {
        try {
            BytesMessage answer = session.createBytesMessage();
            answer.writeBytes(new byte[turn.bytes()]);
            answer.setJMSCorrelationID(question.getJMSMessageID());
            producer.send(question.getJMSReplyTo(), answer);
        } catch (JMSException | RuntimeException e) {
            if (asking) {
                failure.compareAndSet(null, e);
            }
        }
    }

    private void asker(int number) throws JMSException {
        Session asking = session();
        Connection connection = connections.getLast();
        // a session has one thread: the listener's is another
        Session listening = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        TemporaryQueue mine = listening.createTemporaryQueue();
        SynchronousQueue<Message> answers = new SynchronousQueue<>();
        MessageConsumer consumer = listening.createConsumer(mine);
        consumer.setMessageListener(m -> handOver(answers, m));
        MessageProducer producer = asking.createProducer(questions);
        producer.setDeliveryMode(turn.persistent() ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
        connection.start();
        BytesMessage question = asking.createBytesMessage();
        question.writeBytes(new byte[turn.bytes()]);
        question.setJMSReplyTo(mine);
        Thread thread = new Thread(() -> ask(number, producer, question, answers), "asker " + number);
        thread.setDaemon(true);
        askers.add(thread);
        thread.start();
    }

    private void handOver(SynchronousQueue<Message> answers, Message answer) {
        try {
            answers.offer(answer, ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void ask(int number, MessageProducer producer, BytesMessage question, SynchronousQueue<Message> answers) {
        double gap = turn.rate() > 0 ? turn.producers() / turn.rate() * 1e9 : 0;
        double due = clock.nanos() + gap * number / turn.producers();
        try {
            while (asking) {
                due = gap > 0 ? due + gap : clock.nanos();
                waitUntil((long) due);
                producer.send(question);
                meter.departed();
                if (answers.poll(ANSWER_SECONDS, TimeUnit.SECONDS) == null) {
                    throw new IllegalStateException("no answer within " + ANSWER_SECONDS + " s");
                }
                meter.arrived();
                if (recording) {
                    nanos.recordValue(Math.max(0, clock.nanos() - (long) due));
                }
            }
        } catch (JMSException | RuntimeException e) {
            failure.compareAndSet(null, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void waitUntil(long due) {
        for (long left = due - clock.nanos(); left > 0; left = due - clock.nanos()) {
            LockSupport.parkNanos(left);
        }
    }
}
