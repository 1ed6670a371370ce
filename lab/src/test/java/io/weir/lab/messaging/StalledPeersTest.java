package io.weir.lab.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weir.jms.frames.ClientFrames;
import io.weir.jms.frames.DestinationKind;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import io.weir.wire.WireFault.Reason;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Peers that stop: reading, speaking, logging in, consuming. What they may hold is bounded, and others go on. */
@Timeout(300)
@Tag("slow")
class StalledPeersTest {
    private static final int HANDSHAKES = 30;

    @RegisterExtension
    static final OneServer SERVER = new OneServer(
            "admin.enabled=on",
            "admin.port=0",
            "messaging.wire.heartbeat=200ms",
            "messaging.wire.max-handshakes=" + HANDSHAKES,
            "messaging.wire.handshake-time-out=2s",
            "messaging.wire.max-frame=512KiB",
            "messaging.wire.outbound.limit=1MiB");

    private static final DestinationName Q = new DestinationName(DestinationKind.QUEUE, "q");
    private static final int BODY = 10_000;

    private static double faults(Reason reason) {
        return SERVER.get().counter("weir_wire_faults_total", "{reason=\"" + reason.label() + "\"}");
    }

    private static void fill(JMSContext context, int messages) {
        JMSProducer producer = context.createProducer().setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        for (int i = 0; i < messages; i++) {
            producer.send(context.createQueue("q"), new byte[BODY]);
        }
    }

    @Test
    void aConsumerThatStopsReadingHoldsABoundedPartAndItComesBackWhenItEnds() throws Exception {
        int messages = 2000;
        try (HealthyPair healthy = new HealthyPair(SERVER.get());
                RawPeer stalled = RawPeer.guest(SERVER.get(), 4096);
                JMSContext context = SERVER.factory().createContext()) {
            stalled.openSession(1);
            stalled.consume(Q);
            fill(context, messages);
            double pending = SERVER.get().counter("weir_destination_messages_pending", "{destination=\"queue/q\"}");
            healthy.goesOn();
            // the high water mark, what two sockets hold, and one read of the loop; 20 MB were offered
            assertThat(pending * BODY).isLessThan(8_000_000);
            Arrivals got = new Arrivals();
            JMSConsumer consumer = context.createConsumer(context.createQueue("q"));
            consumer.setMessageListener(_ -> got.add(""));
            Await.until("it is given the rest", () -> got.texts().size() >= messages - pending - 1);
            stalled.die();
            got.await(messages);
            healthy.goesOn();
            assertThat(got.texts()).hasSize(messages);
            consumer.close();
        }
    }

    @Test
    void aPeerThatKeepsAskingAndDoesNotReadIsCutOff() throws Exception {
        double before = faults(Reason.SLOW_READER);
        try (HealthyPair healthy = new HealthyPair(SERVER.get());
                RawPeer greedy = RawPeer.guest(SERVER.get(), 4096);
                JMSContext context = SERVER.factory().createContext()) {
            greedy.openSession(1);
            fill(context, 10);
            ByteBuf payload = Unpooled.buffer();
            new ClientFrames.Browse(5, Q, null, 0, 1000, 1 << 20).write(payload);
            // each is answered with 100 KB
            greedy.writeAll(RawPeer.frame(FrameType.BROWSE, 1, payload), 1000);
            healthy.goesOn();
            Await.until("it is cut off", () -> faults(Reason.SLOW_READER) == before + 1);
            greedy.awaitEnd();
            healthy.goesOn();
        }
    }

    @Test
    void aPeerThatFallsSilentIsCutOffAndItsMessagesGoToOthers() throws Exception {
        double before = faults(Reason.SILENT);
        try (HealthyPair healthy = new HealthyPair(SERVER.get());
                RawPeer silent = RawPeer.session(SERVER.get());
                JMSContext context = SERVER.factory().createContext()) {
            silent.consume(Q);
            fill(context, 3);
            for (int i = 0; i < 3; i++) {
                silent.expect(FrameType.DELIVER);
            }
            JMSConsumer other = context.createConsumer(context.createQueue("q"));
            for (int i = 0; i < 3; i++) {
                Message again = other.receive(20_000);
                assertThat(again).isNotNull();
                assertThat(again.getJMSRedelivered()).isTrue();
            }
            silent.expectEnd(Reason.SILENT);
            assertThat(faults(Reason.SILENT)).isEqualTo(before + 1);
            healthy.goesOn();
        }
    }

    @Test
    void aFloodOfConnectionsThatDoNotLogInIsBoundedAndEnds() throws Exception {
        double busy = faults(Reason.BUSY);
        double late = faults(Reason.HANDSHAKE_TIME_OUT);
        List<RawPeer> flood = new ArrayList<>();
        try (HealthyPair healthy = new HealthyPair(SERVER.get())) {
            for (int i = 0; i < 3 * HANDSHAKES; i++) {
                flood.add(RawPeer.stranger(SERVER.get()));
            }
            healthy.goesOn();
            Await.until(
                    "each was refused or given up",
                    () -> faults(Reason.BUSY) + faults(Reason.HANDSHAKE_TIME_OUT) == busy + late + 3 * HANDSHAKES);
            assertThat(faults(Reason.BUSY)).isGreaterThan(busy);
            assertThat(faults(Reason.HANDSHAKE_TIME_OUT)).isGreaterThan(late);
            try (JMSContext context = SERVER.factory().createContext()) {
                fill(context, 1);
            }
            healthy.goesOn();
        } finally {
            for (RawPeer p : flood) {
                p.close();
            }
        }
        Await.until("nothing of it is left", () -> SERVER.get().counter("weir_wire_handshakes", "") == 0);
    }

    /** A listener that is stuck in its first message until it is let go. */
    private static final class Stuck implements MessageListener {
        final CountDownLatch go = new CountDownLatch(1);
        final AtomicInteger seen = new AtomicInteger();

        @Override
        public void onMessage(Message message) {
            try {
                assertThat(go.await(3, TimeUnit.MINUTES)).isTrue();
                seen.incrementAndGet();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Test
    void aStuckDurableSubscriberHasItsWindowAndTheFastOneHasEverything() throws Exception {
        int messages = 3000;
        try (Connection slow = connection("slow");
                Connection fast = connection("fast");
                JMSContext context = SERVER.factory().createContext()) {
            Stuck stuck = new Stuck();
            Session session = slow.createSession();
            session.createDurableConsumer(session.createTopic("t"), "s").setMessageListener(stuck);
            Arrivals all = new Arrivals();
            Session other = fast.createSession();
            other.createDurableConsumer(other.createTopic("t"), "f").setMessageListener(all);
            slow.start();
            fast.start();
            double delivered = delivered();
            for (int i = 0; i < messages; i++) {
                context.createProducer().send(context.createTopic("t"), "m" + i);
            }
            all.await(messages);
            assertThat(all.texts()).isEqualTo(Arrivals.numbered("m", messages));
            // the broker's work for the stuck one is what it looks at and its window of 10, not a part of the messages
            assertThat(delivered() - delivered).isBetween(messages + 1.0, messages + 11.0);
            stuck.go.countDown();
            Await.until("the slow one has all in the end", () -> stuck.seen.get() == messages);
            session.close();
            other.close();
            Session s = slow.createSession();
            s.unsubscribe("s");
            fast.createSession().unsubscribe("f");
        }
    }

    private static double delivered() {
        return SERVER.get().counter("weir_destination_delivered_total", "{destination=\"topic/t\"}");
    }

    private static Connection connection(String clientId) throws JMSException {
        Connection c = SERVER.factory().createConnection();
        c.setClientID(clientId);
        return c;
    }
}
