package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.broker.queue.Message;
import io.weir.broker.queue.QueueEntry;
import io.weir.broker.report.BrokerMessages;
import io.weir.broker.report.BrokerStats;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.RefusalCode;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class QueueTest {
    private static final DestinationName Q = Bench.queue("q");
    private Bench bench = new Bench();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void aMessageReachesAListenerAtOnceAndIsGoneWhenAcknowledged() {
        Probe p = bench.client();
        p.session(1, Probe.AUTO);
        p.listen(1, 5, Q);
        p.send(1, Q, "hello");
        List<Probe.Delivery> got = p.deliveries();
        assertThat(got).hasSize(1);
        assertThat(got.getFirst().body()).isEqualTo("hello");
        assertThat(got.getFirst().consumer()).isEqualTo(5);
        assertThat(got.getFirst().redelivered()).isFalse();
        assertThat(got.getFirst().count()).isEqualTo(1);
        assertThat(bench.q().entries().current()).isEqualTo(1);
        p.ack(1, 1, 1);
        assertThat(bench.q().entries().current()).isZero();
        assertThat(bench.quota("server").messages()).isZero();
    }

    @Test
    void whatNobodyTakesWaitsInOrderOfPriority() {
        Probe p = bench.client();
        p.session(1, Probe.AUTO);
        p.expectOk(p.send(1, Q, new Probe.Draft("low").with(h -> h.priority = 1)));
        p.expectOk(p.send(1, Q, new Probe.Draft("a").with(h -> h.priority = 4)));
        p.expectOk(p.send(1, Q, new Probe.Draft("b").with(h -> h.priority = 4)));
        p.expectOk(p.send(1, Q, new Probe.Draft("high").with(h -> h.priority = 9)));
        p.listen(1, 5, Q);
        assertThat(p.bodies()).containsExactly("high", "a", "b", "low");
    }

    @Test
    void theWindowHoldsBackWhatTheListenerHasNotTaken() {
        Probe p = bench.client();
        p.session(1, Probe.AUTO, 2);
        p.listen(1, 5, Q);
        for (int i = 1; i <= 5; i++) {
            p.send(1, Q, "m" + i);
        }
        assertThat(p.bodies()).containsExactly("m1", "m2");
        p.credit(1, 1, 60);
        assertThat(p.bodies()).containsExactly("m3");
        p.credit(1, 2, 120);
        assertThat(p.bodies()).containsExactly("m4", "m5");
    }

    @Test
    void theWindowCountsBytesTooButOneMessageAlwaysFits() {
        Probe p = bench.client();
        p.session(1, Probe.AUTO, -1, 10, 0);
        p.listen(1, 5, Q);
        p.send(1, Q, "longer than ten bytes");
        p.send(1, Q, "next");
        List<Probe.Delivery> got = p.deliveries();
        assertThat(got).extracting(Probe.Delivery::body).containsExactly("longer than ten bytes");
        p.credit(1, 1, got.getFirst().size());
        assertThat(p.bodies()).containsExactly("next");
    }

    @Test
    void consumersTakeTurns() {
        Probe p = bench.client();
        p.session(1, Probe.AUTO);
        p.listen(1, 5, Q);
        p.listen(1, 6, Q);
        for (int i = 0; i < 4; i++) {
            p.send(1, Q, "m");
        }
        assertThat(p.deliveries()).extracting(Probe.Delivery::consumer).containsExactly(5, 6, 5, 6);
    }

    @Test
    void receiveTakesWhatIsThereOrWaitsForItsTimeOut() {
        Probe p = bench.client();
        p.session(1, Probe.AUTO);
        p.consumer(1, 5, Q);
        assertThat(p.received(p.receive(1, 5, 0))).isZero();
        int waiting = p.receive(1, 5, 1000);
        bench.step(900);
        assertThat(p.received(waiting)).isEqualTo(-1);
        p.send(1, Q, "late");
        assertThat(p.received(waiting)).isEqualTo(1);
        assertThat(p.bodies()).containsExactly("late");
        int inVain = p.receive(1, 5, 1000);
        bench.step(1000);
        assertThat(p.received(inVain)).isZero();
        assertThat(bench.stats.value(BrokerStats.RECEIVE_TIMEOUTS)).isEqualTo(1);
    }

    @Test
    void receiveFetchesABatchOfWhatIsThere() {
        Probe p = bench.client();
        p.session(1, Probe.AUTO);
        p.consumer(1, 5, Q);
        for (int i = 1; i <= 5; i++) {
            p.send(1, Q, "m" + i);
        }
        assertThat(p.received(p.receive(1, 5, 1000, 3))).isEqualTo(3);
        assertThat(p.bodies()).containsExactly("m1", "m2", "m3");
        assertThat(p.received(p.receive(1, 5, 1000, 3))).isEqualTo(2);
    }

    @Test
    void aStoppedConnectionGetsNothingUntilItIsStarted() {
        Probe p = bench.client();
        p.session(1, Probe.AUTO);
        p.listen(1, 5, Q);
        p.expectOk(p.plain(FrameType.CONNECTION_STOP, 0));
        p.send(1, Q, "m");
        assertThat(p.bodies()).isEmpty();
        p.frame(FrameType.CONNECTION_START, 0, _ -> {});
        assertThat(p.bodies()).containsExactly("m");
    }

    @Test
    void aClientThatStopsReadingHoldsUpOnlyItself() {
        Probe slow = bench.client();
        Probe fast = bench.client();
        slow.session(1, Probe.NO_ACK, -1);
        fast.session(1, Probe.NO_ACK, -1);
        slow.listen(1, 5, Bench.topic("t"));
        fast.listen(1, 5, Bench.topic("t"));
        slow.wire.writable = false;
        fast.send(1, Bench.topic("t"), "a");
        fast.send(1, Bench.topic("t"), "b");
        assertThat(fast.bodies()).containsExactly("a", "b");
        assertThat(slow.bodies()).isEmpty();
        slow.wire.writable = true;
        bench.loops.loops.getFirst().on(() -> slow.connection.writable(true));
        assertThat(slow.bodies()).containsExactly("a", "b");
    }

    @Test
    void aSlowConsumerIsNamedOnce() {
        bench.close();
        bench = new Bench("limits.slow-consumer-time=10s");
        LoopMaintenance upkeep = bench.maintenance();
        Probe p = bench.client();
        p.session(1, Probe.AUTO, 1);
        p.listen(1, 5, Q);
        p.send(1, Q, "a");
        p.send(1, Q, "b");
        bench.loops.loops.getFirst().on(upkeep::round);
        bench.step(9_999);
        bench.loops.loops.getFirst().on(upkeep::round);
        assertThat(bench.log.count(BrokerMessages.SLOW_CONSUMER)).isZero();
        bench.step(1);
        bench.loops.loops.getFirst().on(upkeep::round);
        bench.loops.loops.getFirst().on(upkeep::round);
        assertThat(bench.log.count(BrokerMessages.SLOW_CONSUMER)).isEqualTo(1);
        assertThat(bench.stats.value(BrokerStats.SLOW_CONSUMERS)).isEqualTo(1);
    }

    @Test
    void whatWaitsOrStaysAtAConsumerHoldsNoMoreThanItself() {
        LoopMaintenance upkeep = bench.maintenance();
        Probe p = bench.client();
        p.session(1, Probe.CLIENT, 1);
        p.listen(1, 5, Q);
        p.send(1, Q, "at the consumer");
        p.send(1, Q, "waits");
        QueueEntry waits = Objects.requireNonNull(bench.q().available().first());
        assertThat(waits.message.isSettled()).isTrue();
        assertThat(waits.message.block().capacity()).isEqualTo(waits.message.size());
        Message held = bench.q().delivered().newest();
        assertThat(held.isSettled()).isFalse();
        bench.loops.loops.getFirst().on(upkeep::round);
        bench.loops.loops.getFirst().on(upkeep::round);
        assertThat(held.isSettled()).isTrue();
        p.ack(1, 1, 1);
    }

    @Test
    void whatTheGroupsConsumerDoesNotWantGoesToAnotherThatDoes() {
        Probe p = bench.client();
        p.session(1, Probe.AUTO);
        p.session(2, Probe.AUTO);
        p.session(3, Probe.AUTO);
        p.listen(1, 5, Q, "colour = 'red'");
        p.listen(2, 6, Q, "colour = 'blue'");
        p.listen(3, 7, Q, "colour = 'blue'");
        for (int i = 0; i < 6; i++) {
            p.expectOk(p.send(
                    1,
                    Q,
                    new Probe.Draft("g" + i)
                            .property("JMSXGroupID", "g")
                            .property("colour", i % 2 == 0 ? "red" : "blue")));
        }
        List<Probe.Delivery> got = p.deliveries();
        assertThat(got).extracting(Probe.Delivery::body).containsExactly("g0", "g1", "g2", "g3", "g4", "g5");
        int blue = got.get(1).consumer();
        assertThat(got)
                .as("and stays with that one")
                .extracting(Probe.Delivery::consumer)
                .containsExactly(5, blue, 5, blue, 5, blue);
    }

    @Test
    void aGroupStaysWithItsConsumerUntilItCloses() {
        Probe p = bench.client();
        p.session(1, Probe.AUTO);
        p.session(2, Probe.AUTO);
        p.listen(1, 5, Q);
        p.listen(2, 6, Q);
        for (int i = 0; i < 4; i++) {
            p.expectOk(p.send(1, Q, new Probe.Draft("g" + i).property("JMSXGroupID", "g")));
        }
        List<Probe.Delivery> got = p.deliveries();
        assertThat(got)
                .extracting(Probe.Delivery::consumer)
                .containsOnly(got.getFirst().consumer());
        int owner = got.getFirst().consumer();
        p.expectOk(p.closeConsumer(owner == 5 ? 1 : 2, owner, 1000));
        p.expectOk(p.send(1, Q, new Probe.Draft("h").property("JMSXGroupID", "g")));
        assertThat(p.deliveries()).extracting(Probe.Delivery::consumer).containsExactly(owner == 5 ? 6 : 5);
    }

    @Test
    void groupsAreSpreadOverConsumersAndOneThatComesGetsItsPartInOrder() {
        Probe p = bench.client();
        p.session(1, Probe.CLIENT, 100);
        p.session(2, Probe.CLIENT, 100);
        p.session(3, Probe.CLIENT, 100);
        p.listen(1, 5, Q);
        p.listen(2, 6, Q);
        for (int i = 0; i < 6; i++) {
            p.expectOk(p.send(1, Q, new Probe.Draft("first").property("JMSXGroupID", "g" + i)));
        }
        assertThat(p.deliveries().stream().filter(d -> d.consumer() == 5).count())
                .as("in turn")
                .isEqualTo(3);
        p.listen(3, 7, Q);
        for (int i = 0; i < 6; i++) {
            p.expectOk(p.send(1, Q, new Probe.Draft("second").property("JMSXGroupID", "g" + i)));
        }
        assertThat(p.deliveries())
                .as("their messages are not settled: they stay in order where they are")
                .hasSize(6)
                .extracting(Probe.Delivery::consumer)
                .doesNotContain(7);
        p.ack(1, 1, 6);
        p.ack(2, 1, 6);
        for (int i = 0; i < 6; i++) {
            p.expectOk(p.send(1, Q, new Probe.Draft("third").property("JMSXGroupID", "g" + i)));
        }
        List<Probe.Delivery> spread = p.deliveries();
        for (int consumer : List.of(5, 6, 7)) {
            assertThat(spread.stream().filter(d -> d.consumer() == consumer).count())
                    .as("consumer %d", consumer)
                    .isEqualTo(2);
        }
    }

    @Test
    void sendingToWhatDoesNotExistIsRefusedWithTheReasonAndCounted() {
        Probe p = bench.client();
        p.session(1, Probe.AUTO);
        var refused = p.expectRefusal(p.send(1, Bench.queue("nowhere"), new Probe.Draft("m")));
        assertThat(refused.code()).isEqualTo(RefusalCode.INVALID_DESTINATION);
        assertThat(refused.text()).contains("queue/nowhere").contains("messaging.queues");
        assertThat(bench.stats.value(BrokerStats.REFUSED, "invalid-destination"))
                .isEqualTo(1);
    }

    @Test
    void aMessageOverTheMaximumIsRefusedAndOneAtTheBoundIsNot() {
        Probe p = bench.client();
        p.session(1, Probe.AUTO);
        p.listen(1, 5, Q);
        p.send(1, Q, "12345");
        int size = p.deliveries().getFirst().size();
        bench.change("queues.q.maximum-message-size=" + size);
        p.send(1, Q, "12345");
        var refused = p.expectRefusal(p.send(1, Q, new Probe.Draft("123456")));
        assertThat(refused.code()).isEqualTo(RefusalCode.MESSAGE_TOO_LARGE);
        assertThat(refused.text()).contains(String.valueOf(size + 1)).contains(String.valueOf(size));
    }

    @Test
    void whoMayNotIsTold() {
        bench.change("queues.q.access.send=[writers,bob]", "queues.q.access.receive=[readers]");
        Probe p = bench.client(0, "eve");
        p.session(1, Probe.AUTO);
        assertThat(p.expectRefusal(p.send(1, Q, new Probe.Draft("m"))).code()).isEqualTo(RefusalCode.SECURITY);
        assertThat(p.expectRefusal(p.open(1, 5, Q, 0, null, null)).code()).isEqualTo(RefusalCode.SECURITY);
        Probe bob = bench.client(0, "bob", "readers");
        bob.session(1, Probe.AUTO);
        bob.send(1, Q, "m");
        bob.consumer(1, 5, Q);
        assertThat(bob.received(bob.receive(1, 5, 0))).isEqualTo(1);
    }
}
