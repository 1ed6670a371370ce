package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.broker.loop.BrokerLoop;
import io.weir.broker.queue.ConsumerSession;
import io.weir.broker.queue.MessageQueue;
import io.weir.broker.queue.QueueConsumer;
import io.weir.broker.queue.QueueEntry;
import io.weir.broker.queue.SessionWindow;
import io.weir.broker.report.RequestRefusal;
import io.weir.jms.frames.DestinationName;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No message stays while somebody who may have it waits. */
@Tag("slow")
class WakeTest {
    private static final DestinationName Q = Bench.queue("q");

    private final Bench bench = new Bench();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void aReceiveThatDoesNotWaitFindsAMessageBehindManyThatAreNotForIt() {
        Probe p = bench.client();
        p.session(1, Probe.NO_ACK);
        for (int i = 0; i < MessageQueue.SCAN + 50; i++) {
            p.sendAs(0, 1, Q, new Probe.Draft("no"), 0, 0);
        }
        p.expectOk(p.send(1, Q, new Probe.Draft("rare").property("k", 1)));
        p.open(1, 5, Q, 0, "k = 1", null);
        assertThat(p.received(p.receive(1, 5, 0))).isEqualTo(1);
        assertThat(p.received(p.receive(1, 5, 0))).isZero();
    }

    /** A session whose room another of its consumers takes, on another loop, just before this one does. */
    private final class Contended implements ConsumerSession {
        final SessionWindow window = new SessionWindow(1, -1);
        int asked;

        @Nullable
        QueueEntry delivered;

        @Override
        public BrokerLoop loop() {
            return bench.loops.loops.getFirst();
        }

        @Override
        public SessionWindow window() {
            if (++asked == 2) {
                window.take(1);
            }
            return window;
        }

        @Override
        public boolean flowing() {
            return true;
        }

        @Override
        public boolean isStarted() {
            return true;
        }

        @Override
        public boolean returnsParts() {
            return false;
        }

        @Override
        public boolean noAcknowledge() {
            return false;
        }

        @Override
        public long origin() {
            return 0;
        }

        @Override
        public int generation() {
            return 0;
        }

        @Override
        public String who() {
            return "test";
        }

        @Override
        public void deliver(QueueEntry e, QueueConsumer c) {
            delivered = e;
        }

        @Override
        public void evicted(QueueConsumer c, RequestRefusal why) {
            // nobody is told
        }

        @Override
        public void receiveDone(int request, int count) {
            // it does not receive
        }
    }

    @Test
    void aConsumerWhoseRoomAnotherTookIsWokenWhenThereIsSomeAgain() {
        Probe p = bench.client();
        p.session(1, Probe.NO_ACK);
        p.send(1, Q, "m");
        Contended session = new Contended();
        QueueConsumer c = new QueueConsumer(session, 1, bench.q(), null, QueueConsumer.Mode.PUSHED);
        ((TestLoop) bench.q().loop).on(() -> bench.q().attach(c));
        assertThat(session.delivered).isNull();
        session.window.credit(1, 1);
        assertThat(c.clearStarved()).as("it asked to be woken").isTrue();
        ((TestLoop) bench.q().loop).on(bench.q()::dispatch);
        assertThat(session.delivered).isNotNull();
        ((TestLoop) bench.q().loop).on(() -> {
            bench.q().detach(c);
            bench.q().acknowledged(Objects.requireNonNull(session.delivered));
        });
    }
}
