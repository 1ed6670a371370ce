package io.weir.jms.client.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Clock;
import io.weir.base.SystemClock;
import io.weir.jms.client.ClientConnection;
import io.weir.jms.client.Clients;
import io.weir.jms.client.FakeBroker;
import io.weir.jms.client.settings.Domain;
import io.weir.jms.message.WeirQueue;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** receiveNoWait finds what is there, whatever wakes its thread just when it arrives. */
@Tag("slow")
class NoWaitRaceTest {
    private static final int ROUNDS = 1_500;
    private static final WeirQueue DEMO = new WeirQueue("demo");

    /** What happens where a receive looks at the clock: it looked for messages before, and looks next whether one came. */
    private static final class Interrupting implements Clock {
        private final Thread receiver = Thread.currentThread();
        private int looks;

        @Nullable
        Runnable between;

        @Override
        public long nanos() {
            long now = SystemClock.INSTANCE.nanos();
            Runnable action = between;
            // for its deadline, before it asks the broker, and when it has asked
            if (action == null || !Thread.currentThread().equals(receiver) || ++looks < 3) {
                return now;
            }
            between = null;
            action.run();
            return now + TimeUnit.DAYS.toNanos(1);
        }

        @Override
        public long millis() {
            return SystemClock.INSTANCE.millis();
        }
    }

    @Test
    void whatComesJustAsTheTimeEndsIsReceived() throws Exception {
        Interrupting clock = new Interrupting();
        try (FakeBroker broker = new FakeBroker();
                ClientConnection c = ClientConnection.connect(Clients.target(broker), Domain.UNIFIED, clock)) {
            Session s = c.createSession(false, Session.AUTO_ACKNOWLEDGE);
            ClientConsumer consumer = (ClientConsumer) s.createConsumer(DEMO);
            c.start();
            clock.between = () -> {
                try {
                    Clients.fill(c, DEMO, DeliveryMode.NON_PERSISTENT, 1);
                } catch (JMSException e) {
                    throw new AssertionError(e);
                }
                FakeBroker.await("the message", () -> !consumer.puller().isEmpty());
            };
            assertThat(Clients.text(consumer.receive(TimeUnit.HOURS.toMillis(1))))
                    .isEqualTo("m0");
            assertThat(clock.between).as("came in between").isNull();
        }
    }

    @Test
    void aThreadThatIsWokenWhileItsMessageArrivesGetsIt() throws Exception {
        try (FakeBroker broker = new FakeBroker();
                ClientConnection c = Clients.connect(broker)) {
            Session s = c.createSession(false, Session.AUTO_ACKNOWLEDGE);
            MessageProducer p = s.createProducer(DEMO);
            MessageConsumer consumer = s.createConsumer(DEMO);
            c.start();
            AtomicBoolean over = new AtomicBoolean();
            Thread receiver = Thread.currentThread();
            Thread waker = Thread.ofPlatform().daemon().start(() -> {
                while (!over.get()) {
                    LockSupport.unpark(receiver);
                    Thread.onSpinWait();
                }
            });
            int missed = 0;
            try {
                for (int i = 0; i < ROUNDS; i++) {
                    broker.forget();
                    p.send(s.createTextMessage("m" + i));
                    while (consumer.receiveNoWait() == null) {
                        missed++;
                    }
                }
            } finally {
                over.set(true);
                waker.join();
            }
            assertThat(missed).as("times that it said nothing was there").isZero();
        }
    }
}
