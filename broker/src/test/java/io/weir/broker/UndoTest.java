package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.broker.admin.BrokerAdmin;
import io.weir.broker.admin.DestinationView;
import io.weir.broker.report.BrokerMessages;
import io.weir.broker.report.BrokerStats;
import io.weir.broker.report.RequestRefusal;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.RefusalCode;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Recover, rollback, close, transactions: what goes back, in which order and how it is flagged. */
class UndoTest {
    private static final DestinationName Q = Bench.queue("q");
    private static final DestinationName ERRORS = Bench.queue("errors");
    private final Bench bench = new Bench("queues.errors.jndi-name=");

    @AfterEach
    void close() {
        bench.close();
    }

    private Probe withMessages(int mode, int count) {
        Probe p = bench.client();
        p.session(1, mode);
        p.listen(1, 5, Q);
        for (int i = 1; i <= count; i++) {
            p.send(1, Q, "m" + i);
        }
        return p;
    }

    @Test
    void recoverDeliversAgainInOrderAndFlagsOnlyWhatWasSeen() {
        Probe p = withMessages(Probe.CLIENT, 4);
        assertThat(p.bodies()).containsExactly("m1", "m2", "m3", "m4");
        p.expectOk(p.undo(FrameType.RECOVER, 1, 2));
        List<Probe.Delivery> again = p.deliveries();
        assertThat(again).extracting(Probe.Delivery::body).containsExactly("m1", "m2", "m3", "m4");
        assertThat(again).extracting(Probe.Delivery::redelivered).containsExactly(true, true, false, false);
        assertThat(again).extracting(Probe.Delivery::count).containsExactly(2, 2, 1, 1);
        assertThat(again.getFirst().tag()).isEqualTo(5);
    }

    @Test
    void recoverIsAnsweredBeforeAnythingIsDeliveredAgain() {
        Probe p = withMessages(Probe.CLIENT, 1);
        p.bodies();
        p.wire.sent.clear();
        p.undo(FrameType.RECOVER, 1, 1);
        assertThat(p.wire.sent).extracting(FakeWire.Frame::type).containsExactly(FrameType.OK, FrameType.DELIVER);
    }

    @Test
    void recoverOpensTheWindowAgain() {
        Probe p = bench.client();
        p.session(1, Probe.CLIENT, 2);
        p.listen(1, 5, Q);
        for (int i = 1; i <= 3; i++) {
            p.send(1, Q, "m" + i);
        }
        assertThat(p.bodies()).containsExactly("m1", "m2");
        p.expectOk(p.undo(FrameType.RECOVER, 1, 0));
        assertThat(p.bodies()).containsExactly("m1", "m2");
    }

    @Test
    void aClosedSessionGivesBackWhatItDidNotAcknowledgeAtTheHead() {
        Probe p = withMessages(Probe.CLIENT, 3);
        p.bodies();
        p.ack(1, 2, 2);
        p.expectOk(p.undo(FrameType.CLOSE_SESSION, 1, 1));
        p.session(2, Probe.AUTO);
        p.send(2, Q, "m4");
        p.listen(2, 6, Q);
        List<Probe.Delivery> again = p.deliveries();
        assertThat(again).extracting(Probe.Delivery::body).containsExactly("m1", "m3", "m4");
        assertThat(again).extracting(Probe.Delivery::redelivered).containsExactly(true, false, false);
    }

    @Test
    void twoSessionsThatCloseLeaveTheOldOrder() {
        Probe a = bench.client();
        Probe b = bench.client();
        a.session(1, Probe.CLIENT);
        b.session(1, Probe.CLIENT);
        a.listen(1, 5, Q);
        b.listen(1, 5, Q);
        for (int i = 1; i <= 6; i++) {
            a.send(1, Q, "m" + i);
        }
        assertThat(a.bodies()).hasSize(3);
        b.lose();
        assertThat(a.bodies()).hasSize(3);
        a.lose();
        Probe c = bench.client();
        c.session(1, Probe.AUTO);
        c.listen(1, 5, Q);
        assertThat(c.bodies()).containsExactly("m1", "m2", "m3", "m4", "m5", "m6");
    }

    @Test
    void closingAConsumerGivesBackWhatItWasNotShownAndKeepsTheRest() {
        Probe p = withMessages(Probe.CLIENT, 3);
        p.bodies();
        p.expectOk(p.closeConsumer(1, 5, 1));
        p.listen(1, 6, Q);
        List<Probe.Delivery> again = p.deliveries();
        assertThat(again).extracting(Probe.Delivery::body).containsExactly("m2", "m3");
        assertThat(again).extracting(Probe.Delivery::redelivered).containsExactly(false, false);
        p.ack(1, 1, 1);
        p.ack(1, 4, 5);
        assertThat(bench.q().entries().current()).isZero();
    }

    @Test
    void noAcknowledgeForgetsWhatItDelivers() {
        Probe p = withMessages(Probe.NO_ACK, 3);
        assertThat(p.bodies()).hasSize(3);
        assertThat(bench.q().entries().current()).isZero();
        p.expectOk(p.undo(FrameType.RECOVER, 1, 3));
        assertThat(p.bodies()).isEmpty();
    }

    @Test
    void theRedeliveryLimitSendsToTheErrorDestination() {
        bench.change(
                "queues.q.delivery-failure.redelivery-limit=1",
                "queues.q.delivery-failure.error-destination=queue/errors");
        Probe p = withMessages(Probe.CLIENT, 1);
        p.bodies();
        p.expectOk(p.undo(FrameType.RECOVER, 1, 1));
        assertThat(p.bodies()).containsExactly("m1");
        p.expectOk(p.undo(FrameType.RECOVER, 1, 2));
        assertThat(p.bodies()).isEmpty();
        p.consumer(1, 9, ERRORS);
        assertThat(p.received(p.receive(1, 9, 0))).isEqualTo(1);
        assertThat(p.bodies()).containsExactly("m1");
        assertThat(bench.stats.value(BrokerStats.FAILED, "queue/q", "redirected"))
                .isEqualTo(1);
        assertThat(bench.log.count(BrokerMessages.REDELIVERY_LIMIT)).isEqualTo(1);
    }

    @Test
    void withoutAnErrorDestinationMessagesOverTheLimitAreDiscarded() {
        bench.change("queues.q.delivery-failure.redelivery-limit=0");
        Probe p = withMessages(Probe.CLIENT, 1);
        p.expectOk(p.undo(FrameType.RECOVER, 1, 1));
        assertThat(bench.q().entries().current()).isZero();
        assertThat(bench.stats.value(BrokerStats.FAILED, "queue/q", "discarded"))
                .isEqualTo(1);
    }

    @Test
    void theRedeliveryDelayHoldsBackOnlyWhatFailed() {
        Probe p = bench.client();
        p.session(1, Probe.CLIENT, 10, -1, 500);
        p.listen(1, 5, Q);
        p.send(1, Q, "a");
        p.send(1, Q, "b");
        p.bodies();
        p.expectOk(p.undo(FrameType.RECOVER, 1, 1));
        assertThat(p.bodies()).containsExactly("b");
        bench.step(499);
        assertThat(p.bodies()).isEmpty();
        bench.step(1);
        assertThat(p.bodies()).containsExactly("a");
    }

    // transactions

    @Test
    void nobodySeesSendsBeforeTheCommit() {
        Probe p = bench.client();
        p.session(1, Probe.TRANSACTED);
        p.session(2, Probe.AUTO);
        p.listen(2, 6, Q);
        p.expectOk(p.sendTransacted(1, Q, "a"));
        p.expectOk(p.sendTransacted(1, Q, "b"));
        assertThat(p.bodies()).isEmpty();
        assertThat(bench.quota("server").messages()).isEqualTo(2);
        assertThat(DestinationView.of(bench.destination("queue/q")).messagesPending())
                .isEqualTo(2);
        p.expectOk(p.commit(1));
        assertThat(p.bodies()).containsExactly("a", "b");
        assertThat(bench.stats.value(BrokerStats.COMMITTED)).isEqualTo(1);
    }

    @Test
    void rollbackForgetsSendsAndDeliversAgain() {
        Probe p = bench.client();
        p.session(1, Probe.TRANSACTED);
        p.listen(1, 5, Q);
        p.session(2, Probe.AUTO);
        p.send(2, Q, "in");
        assertThat(p.bodies()).containsExactly("in");
        p.ack(1, 1, 1);
        p.expectOk(p.sendTransacted(1, ERRORS, "out"));
        p.expectOk(p.undo(FrameType.ROLLBACK, 1, 1));
        List<Probe.Delivery> again = p.deliveries();
        assertThat(again).extracting(Probe.Delivery::body).containsExactly("in");
        assertThat(again.getFirst().redelivered()).isTrue();
        p.ack(1, 2, 2);
        p.expectOk(p.commit(1));
        assertThat(bench.q().entries().current()).isZero();
        assertThat(bench.quota("server").messages()).isZero();
    }

    @Test
    void aRollbackOfWhatWasOnlyReceivedCountsAndAnEmptyOneDoesNot() {
        Probe p = bench.client();
        p.session(1, Probe.TRANSACTED);
        p.session(2, Probe.AUTO);
        p.listen(1, 5, Q);
        p.send(2, Q, "seen");
        p.expectOk(p.undo(FrameType.ROLLBACK, 1, 0));
        assertThat(rolledBackByClients()).as("nothing was seen").isZero();
        assertThat(p.deliveries()).isNotEmpty();
        p.expectOk(p.undo(FrameType.ROLLBACK, 1, 2));
        assertThat(rolledBackByClients()).isEqualTo(1);
        p.expectOk(p.undo(FrameType.RECOVER, 2, Long.MAX_VALUE));
        assertThat(rolledBackByClients()).isEqualTo(1);
    }

    private long rolledBackByClients() {
        return bench.stats.counter(BrokerStats.ROLLED_BACK, "client").value();
    }

    @Test
    void aTransactionWithAFailedSendIsRolledBackAtCommit() {
        Probe p = bench.client();
        p.session(1, Probe.TRANSACTED);
        p.expectOk(p.sendTransacted(1, Q, "good"));
        p.expectRefusal(p.sendTransacted(1, Bench.queue("nowhere"), "bad"));
        var refused = p.expectRefusal(p.commit(1));
        assertThat(refused.code()).isEqualTo(RefusalCode.TRANSACTION_ROLLED_BACK);
        assertThat(refused.text()).contains("queue/nowhere");
        assertThat(bench.q().entries().current()).isZero();
        p.expectOk(p.sendTransacted(1, Q, "next"));
        p.expectOk(p.commit(1));
        assertThat(bench.q().entries().current()).isEqualTo(1);
    }

    @Test
    void aLostConnectionRollsBack() {
        Probe p = bench.client();
        p.session(1, Probe.TRANSACTED);
        p.listen(1, 5, Q);
        Probe other = bench.client();
        other.session(1, Probe.AUTO);
        other.send(1, Q, "in");
        p.ack(1, 1, 1);
        p.expectOk(p.sendTransacted(1, Q, "out"));
        p.lose();
        other.listen(1, 5, Q);
        List<Probe.Delivery> got = other.deliveries();
        assertThat(got).extracting(Probe.Delivery::body).containsExactly("in");
        assertThat(got.getFirst().redelivered()).isTrue();
    }

    @Test
    void insertionPausedFailsTheCommit() throws RequestRefusal {
        Probe p = bench.client();
        p.session(1, Probe.TRANSACTED);
        p.expectOk(p.sendTransacted(1, Q, "a"));
        bench.admin().pause("queue/q", BrokerAdmin.Stage.INSERTION, true);
        assertThat(p.expectRefusal(p.commit(1)).code()).isEqualTo(RefusalCode.TRANSACTION_ROLLED_BACK);
        assertThat(bench.q().entries().current()).isZero();
    }
}
