package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.broker.admin.BrokerAdmin;
import io.weir.broker.report.BrokerStats;
import io.weir.broker.report.RequestRefusal;
import io.weir.jms.frames.AckFrame;
import io.weir.jms.frames.ClientFrames;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.RefusalCode;
import io.weir.wire.WireFault;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which deliveries count: those that were passed to the application, by what its client told. */
class PassedTest {
    private static final DestinationName Q = Bench.queue("q");
    private static final DestinationName ERRORS = Bench.queue("errors");
    private static final String[] LIMITED = {
        "queues.errors.jndi-name=",
        "queues.q.delivery-failure.redelivery-limit=1",
        "queues.q.delivery-failure.error-destination=queue/errors"
    };

    private final StoredBench stored = new StoredBench(LIMITED);

    @AfterEach
    void close() {
        stored.close();
    }

    /** A client with a listener that gets all there is. */
    private Probe listening(int mode) {
        Probe p = stored.bench.client();
        p.session(1, mode, -1);
        p.listen(1, 5, Q);
        stored.write();
        return p;
    }

    private static void passed(Probe p, long from, long to) {
        p.frame(FrameType.ACK, 1, b -> AckFrame.write(b, from, to, AckFrame.PASSED));
    }

    private int settle(Probe p, long from, long to, int kind) {
        return p.request(FrameType.SETTLE, 1, (r, b) -> AckFrame.write(b.writeInt(r), from, to, kind));
    }

    private List<String> errors() {
        return stored.drain(ERRORS).stream().map(m -> m.replace("!", "")).toList();
    }

    @Test
    void whatACrashLoopDidNotSeeIsNotSentToTheErrorDestination() {
        Probe sender = stored.client(0);
        stored.send(sender, Q, "poison", "good", "better");
        for (int crash = 1; crash <= 2; crash++) {
            Probe p = listening(Probe.AUTO);
            assertThat(p.bodies()).containsExactly("poison", "good", "better");
            passed(p, 1, 1);
            p.lose();
            stored.write();
        }
        List<Probe.Delivery> left = listening(Probe.CLIENT).deliveries();
        assertThat(left).extracting(Probe.Delivery::body).containsExactly("good", "better");
        assertThat(left).extracting(Probe.Delivery::redelivered).containsExactly(true, true);
        assertThat(left).extracting(Probe.Delivery::count).containsExactly(2, 2);
        assertThat(errors()).containsExactly("poison");
    }

    @Test
    void aClientThatTellsNothingHasSeenEverything() {
        Probe sender = stored.client(0);
        stored.send(sender, Q, "a", "b");
        for (int crash = 1; crash <= 2; crash++) {
            Probe p = stored.bench.client();
            p.wire.version = 1;
            p.session(1, Probe.AUTO, -1);
            p.listen(1, 5, Q);
            stored.write();
            assertThat(p.bodies()).containsExactly("a", "b");
            p.lose();
            stored.write();
        }
        assertThat(errors()).containsExactly("a", "b");
    }

    @Test
    void aClientOfBeforeDoesNotSpeakOfIt() {
        Probe p = stored.bench.client();
        p.wire.version = 1;
        p.session(1, Probe.AUTO, -1);
        assertThatThrownBy(() -> passed(p, 1, 1)).isInstanceOf(WireFault.class);
        assertThatThrownBy(() -> settle(p, 1, 1, AckFrame.CONSUMED)).isInstanceOf(WireFault.class);
    }

    @Test
    void theServersDeathCountsNothing() {
        Probe sender = stored.client(0);
        stored.send(sender, Q, "a", "b");
        for (int death = 1; death <= 3; death++) {
            assertThat(listening(Probe.AUTO).bodies()).containsExactly("a", "b");
            stored.restart();
            // and then the client's: nothing of it was passed on
            listening(Probe.AUTO).lose();
            stored.write();
        }
        List<Probe.Delivery> left = listening(Probe.CLIENT).deliveries();
        assertThat(left).extracting(Probe.Delivery::body).containsExactly("a", "b");
        assertThat(left).extracting(Probe.Delivery::redelivered).containsExactly(true, true);
        assertThat(errors()).isEmpty();
    }

    @Test
    void whatIsInDoubtStaysFlaggedWhateverComesNext() {
        Probe sender = stored.client(0);
        stored.send(sender, Q, "a");
        listening(Probe.CLIENT).lose();
        Probe p = listening(Probe.CLIENT);
        assertThat(p.deliveries().getFirst().redelivered()).isTrue();
        p.expectOk(p.undo(FrameType.RECOVER, 1, 0));
        stored.write();
        Probe.Delivery again = p.deliveries().getFirst();
        assertThat(again.redelivered()).isTrue();
        assertThat(again.count()).isEqualTo(2);
        // seen now, and once more: that is over the limit
        p.expectOk(p.undo(FrameType.RECOVER, 1, again.tag()));
        stored.write();
        p.expectOk(p.undo(FrameType.RECOVER, 1, p.deliveries().getFirst().tag()));
        stored.write();
        assertThat(errors()).containsExactly("a");
    }

    @Test
    void whatWasPassedOnAtAnEarlierDeliveryIsNotAtTheNext() {
        Probe sender = stored.client(0);
        stored.send(sender, Q, "a");
        Probe p = listening(Probe.CLIENT);
        passed(p, 1, 1);
        p.expectOk(p.undo(FrameType.RECOVER, 1, 0));
        stored.write();
        p.lose();
        stored.write();
        Probe q = listening(Probe.CLIENT);
        passed(q, 1, 1);
        q.lose();
        stored.write();
        assertThat(errors()).isEmpty();
        assertThat(stored.drain(Q)).containsExactly("a!");
    }

    @Test
    void aSettlementIsAnsweredWhenItIsDurable() {
        Probe sender = stored.client(0);
        stored.send(sender, Q, "a", "b");
        Probe p = listening(Probe.AUTO);
        int consumed = settle(p, 1, 1, AckFrame.CONSUMED);
        assertThat(p.ok(consumed)).isFalse();
        int passed = settle(p, 2, 2, AckFrame.PASSED);
        p.expectOk(passed);
        stored.write();
        p.expectOk(consumed);
        stored.restart();
        assertThat(stored.drain(Q)).containsExactly("b!");
    }

    @Test
    void aSettlementCoversWhatWasAcknowledgedBeforeAndTakesNothingFromSync() {
        Probe sender = stored.client(0);
        stored.send(sender, Q, "a", "b");
        Probe p = listening(Probe.AUTO);
        p.ack(1, 1, 2);
        int known = settle(p, 2, 2, AckFrame.CONSUMED);
        int sync = p.sync(1);
        assertThat(p.ok(known)).isFalse();
        assertThat(p.ok(sync)).isFalse();
        stored.write();
        p.expectOk(known);
        p.expectOk(sync);
    }

    @Test
    void aSettlementThatTheDiskRefusesIsAnsweredSo() {
        Probe sender = stored.client(0);
        stored.send(sender, Q, "a");
        Probe p = listening(Probe.AUTO);
        stored.disk.failing = true;
        int consumed = settle(p, 1, 1, AckFrame.CONSUMED);
        stored.write();
        assertThat(p.expectRefusal(consumed).code()).isEqualTo(RefusalCode.STORE);
    }

    @Test
    void aSettlementForASessionThatIsClosedIsAnswered() {
        Probe p = listening(Probe.AUTO);
        p.expectOk(p.undo(FrameType.CLOSE_SESSION, 1, 0));
        assertThat(p.expectRefusal(settle(p, 1, 1, AckFrame.CONSUMED)).code()).isEqualTo(RefusalCode.CLOSED);
    }

    /** As a thread of the application may do while another one closes its session. */
    @Test
    void whatIsSentForASessionThatIsClosedIsRefusedAndEndsNothing() {
        Probe p = listening(Probe.AUTO);
        p.session(2, Probe.AUTO, -1);
        p.expectOk(p.undo(FrameType.CLOSE_SESSION, 1, 0));
        for (int request : List.of(
                p.receive(1, 5, 0),
                p.sync(1),
                p.commit(1),
                p.closeConsumer(1, 5, 0),
                p.undo(FrameType.RECOVER, 1, 0),
                p.undo(FrameType.CLOSE_SESSION, 1, 0),
                p.open(1, 6, Q, 0, null, null),
                p.send(1, Q, new Probe.Draft("late")))) {
            assertThat(p.expectRefusal(request)).satisfies(r -> {
                assertThat(r.code()).isEqualTo(RefusalCode.ILLEGAL_STATE);
                assertThat(r.text()).isEqualTo("session 1 is closed");
            });
        }
        long dropped = stored.bench.stats.value(BrokerStats.ONE_WAY_DROPPED);
        p.sendAs(0, 1, Q, new Probe.Draft("one-way"), 0, 0);
        assertThat(stored.bench.stats.value(BrokerStats.ONE_WAY_DROPPED)).isEqualTo(dropped + 1);
        p.frame(FrameType.CONSUMER_MODE, 1, b -> new ClientFrames.ConsumerMode(5, 1).write(b));
        p.ack(1, 1, 1);
        p.credit(1, 1, 1);
        p.expectOk(p.sync(2));
        assertThat(stored.drain(Q)).isEmpty();
        assertThatThrownBy(() -> p.sync(3)).isInstanceOf(WireFault.class).hasMessageContaining("which is not open");
    }

    @Test
    void theSelectorSeesTheCountThatTheConsumerSees() {
        Probe sender = stored.client(0);
        stored.send(sender, Q, "a");
        listening(Probe.CLIENT).lose();
        Probe p = stored.bench.client();
        p.session(1, Probe.CLIENT, -1);
        p.listen(1, 5, Q, "JMSXDeliveryCount = 2");
        stored.write();
        assertThat(p.bodies()).containsExactly("a");
    }

    // transactions that are refused

    private Probe consumedAndSent() {
        Probe sender = stored.client(0);
        stored.send(sender, Q, "in");
        Probe p = listening(Probe.TRANSACTED);
        assertThat(p.bodies()).containsExactly("in");
        p.expectOk(p.sendTransacted(1, ERRORS, "out"));
        p.ack(1, 1, 1);
        return p;
    }

    @Test
    void whatARefusedCommitConsumedComesAgainAndIsConsumedByTheNext() throws RequestRefusal {
        Probe p = consumedAndSent();
        BrokerAdmin admin = stored.bench.admin();
        admin.pause("queue/errors", BrokerAdmin.Stage.INSERTION, true);
        stored.write();
        int commit = p.commit(1);
        stored.write();
        assertThat(p.expectRefusal(commit).code()).isEqualTo(RefusalCode.TRANSACTION_ROLLED_BACK);
        again(p);
    }

    @Test
    void whatACommitConsumedThatTheDiskRefusedComesAgainAndIsConsumedByTheNext() {
        Probe p = consumedAndSent();
        stored.disk.failing = true;
        int commit = p.commit(1);
        stored.write();
        assertThat(p.expectRefusal(commit).code()).isEqualTo(RefusalCode.TRANSACTION_ROLLED_BACK);
        stored.disk.failing = false;
        stored.step(java.time.Duration.ofSeconds(5));
        again(p);
    }

    private void again(Probe p) {
        Probe.Delivery again = p.deliveries().getFirst();
        assertThat(again.body()).isEqualTo("in");
        assertThat(again.redelivered()).isTrue();
        p.ack(1, again.tag(), again.tag());
        int commit = p.commit(1);
        stored.write();
        p.expectOk(commit);
        assertThat(stored.bench.q().entries().current()).isZero();
    }
}
