package io.weir.lab.jmsload;

import io.weir.base.Clock;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Threads that open and close connections as fast as they can, each with a session and a producer ({@code connects}), or
 * sessions of one connection, each with a producer ({@code sessions}). Lives for one turn.
 */
final class Openings {
    private static final long RAMP = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long END_SECONDS = 10;
    private final Turn turn;
    private final ConnectionFactory factory;
    private final Destination destination;
    private final Clock clock;
    private final Meter meter;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean opening = true;

    Openings(Turn turn, ConnectionFactory factory, Destination destination, Clock clock) {
        this.turn = turn;
        this.factory = factory;
        this.destination = destination;
        this.clock = clock;
        this.meter = new Meter(clock);
    }

    Measured run(Runnable measuring) throws JMSException, InterruptedException {
        Connection shared = turn.kind().equals("sessions") ? factory.createConnection() : null;
        try {
            for (int i = 0; i < turn.producers(); i++) {
                start("opener " + i, shared);
            }
            pause();
            measuring.run();
            Meter.Window w = meter.watch(turn.millis());
            return new Measured(w.done(), w.sent(), w.seconds(), w.deviation(), 0, 0, 0, 0, 0);
        } finally {
            end(shared);
        }
    }

    private void start(String name, @Nullable Connection shared) {
        Thread thread = new Thread(() -> open(shared), name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void open(@Nullable Connection shared) {
        try {
            while (opening) {
                if (shared == null) {
                    connect();
                } else {
                    session(shared);
                }
                meter.arrived();
            }
        } catch (JMSException | RuntimeException e) {
            failure.compareAndSet(null, e);
        }
    }

    private void connect() throws JMSException {
        try (Connection connection = factory.createConnection()) {
            connection.createSession(false, Session.AUTO_ACKNOWLEDGE).createProducer(destination);
        }
    }

    private void session(Connection connection) throws JMSException {
        try (Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE)) {
            session.createProducer(destination);
        }
    }

    private void pause() {
        long until = clock.nanos() + RAMP;
        for (long left = RAMP; left > 0; left = until - clock.nanos()) {
            LockSupport.parkNanos(left);
        }
    }

    private void end(@Nullable Connection shared) throws JMSException, InterruptedException {
        opening = false;
        for (Thread each : threads) {
            each.join(TimeUnit.SECONDS.toMillis(END_SECONDS));
        }
        if (shared != null) {
            shared.close();
        }
        Throwable cause = failure.get();
        if (cause != null) {
            throw new IllegalStateException("the load failed: " + cause, cause);
        }
    }
}
