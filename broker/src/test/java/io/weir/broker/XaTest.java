package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.broker.report.BrokerMessages;
import io.weir.broker.xa.Branch;
import io.weir.jms.frames.BranchId;
import jakarta.jms.CompletionListener;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.TransactionRolledBackException;
import jakarta.jms.XASession;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Branches of distributed transactions, with a client and a broker: javax.transaction.xa, X/Open CAE C193. */
class XaTest {
    private static final Xid ONE = Xa.xid(1);
    private static final Xid TWO = Xa.xid(2);

    @TempDir
    private Path journal = Path.of("");

    private RealBroker broker() throws Exception {
        return new RealBroker(journal, "queues.in.jndi-name=", "queues.out.jndi-name=");
    }

    private static void failsWith(int code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        XAException.class,
                        e -> assertThat(e.errorCode).as(e.getMessage()).isEqualTo(code));
    }

    private static void put(RealBroker broker, String to, String text) {
        try (JMSContext context = broker.factory().createContext()) {
            context.createProducer().send(context.createQueue(to), text);
        }
    }

    /** Consumes from "in" and sends to "out" in a branch, which is ended and not prepared. */
    private static void move(Xa xa, Xid xid, String text) throws Exception {
        xa.start(xid);
        assertThat(xa.receive("in")).endsWith(text);
        xa.send("out", text + "!");
        xa.end(xid);
    }

    @Test
    void bothPhasesMakeWhatWasSentVisibleAndWhatWasConsumedGone() throws Exception {
        try (RealBroker broker = broker();
                Xa xa = new Xa(broker);
                Xa other = new Xa(broker)) {
            put(broker, "in", "a");
            move(xa, ONE, "a");
            assertThat(other.receiveNow("out")).isNull();
            assertThat(xa.resource.prepare(ONE)).isEqualTo(XAResource.XA_OK);
            assertThat(other.receiveNow("out")).as("in doubt").isNull();
            assertThat(other.receiveNow("in")).as("in doubt").isNull();
            xa.resource.commit(ONE, false);
            assertThat(other.receive("out")).isEqualTo("a!");
            assertThat(other.receiveNow("in")).isNull();
            failsWith(XAException.XAER_NOTA, () -> xa.resource.commit(ONE, false));
        }
    }

    @Test
    void aPreparedBranchThatIsRolledBackLeavesNothing() throws Exception {
        try (RealBroker broker = broker();
                Xa xa = new Xa(broker)) {
            put(broker, "in", "a");
            move(xa, ONE, "a");
            xa.resource.prepare(ONE);
            xa.resource.rollback(ONE);
            assertThat(xa.receiveNow("out")).isNull();
            assertThat(xa.receive("in")).isEqualTo("again: a");
        }
    }

    @Test
    void onePhaseCommitsWithoutAPrepare() throws Exception {
        try (RealBroker broker = broker();
                Xa xa = new Xa(broker)) {
            put(broker, "in", "a");
            move(xa, ONE, "a");
            xa.resource.commit(ONE, true);
            assertThat(xa.receive("out")).isEqualTo("a!");
            assertThat(xa.receiveNow("in")).isNull();
        }
    }

    @Test
    void anUnpreparedBranchIsNotCommittedInTwoPhases() throws Exception {
        try (RealBroker broker = broker();
                Xa xa = new Xa(broker)) {
            xa.start(ONE);
            xa.send("out", "a");
            failsWith(XAException.XAER_PROTO, () -> xa.resource.prepare(ONE));
            xa.end(ONE);
            failsWith(XAException.XAER_PROTO, () -> xa.resource.commit(ONE, false));
            xa.resource.prepare(ONE);
            failsWith(XAException.XAER_PROTO, () -> xa.resource.prepare(ONE));
            failsWith(XAException.XAER_PROTO, () -> xa.resource.start(ONE, XAResource.TMJOIN));
            failsWith(XAException.XAER_DUPID, () -> xa.start(ONE));
            xa.resource.commit(ONE, false);
        }
    }

    @Test
    void aBranchThatDidNothingIsReadOnlyAndForgotten() throws Exception {
        try (RealBroker broker = broker();
                Xa xa = new Xa(broker)) {
            xa.start(ONE);
            xa.end(ONE);
            assertThat(xa.resource.prepare(ONE)).isEqualTo(XAResource.XA_RDONLY);
            failsWith(XAException.XAER_NOTA, () -> xa.resource.commit(ONE, false));
        }
    }

    @Test
    void aPreparedBranchSurvivesItsConnectionAndTheBrokerAndIsRecoveredByAnother() throws Exception {
        try (RealBroker broker = broker()) {
            put(broker, "in", "a");
            put(broker, "in", "b");
            try (Xa xa = new Xa(broker)) {
                move(xa, ONE, "a");
                xa.resource.prepare(ONE);
                move(xa, TWO, "b");
                xa.resource.prepare(TWO);
            }
            try (Xa xa = new Xa(broker)) {
                assertThat(xa.inDoubt()).containsExactly(Xa.text(ONE), Xa.text(TWO));
            }
        }
        for (int starts = 0; starts < 2; starts++) {
            try (RealBroker broker = broker();
                    Xa xa = new Xa(broker)) {
                assertThat(broker.log.count(BrokerMessages.BRANCHES_IN_DOUBT)).isOne();
                assertThat(xa.inDoubt()).containsExactly(Xa.text(ONE), Xa.text(TWO));
                assertThat(xa.receiveNow("out")).isNull();
                assertThat(xa.receiveNow("in")).isNull();
            }
        }
        try (RealBroker broker = broker();
                Xa xa = new Xa(broker)) {
            xa.resource.commit(ONE, false);
            xa.resource.rollback(TWO);
            assertThat(xa.receive("out")).isEqualTo("a!");
            assertThat(xa.receiveNow("out")).isNull();
            assertThat(xa.receive("in")).isEqualTo("again: b");
            assertThat(xa.inDoubt()).isEmpty();
        }
        try (RealBroker broker = broker();
                Xa xa = new Xa(broker)) {
            assertThat(xa.inDoubt()).isEmpty();
            assertThat(xa.receiveNow("in")).isNull();
            assertThat(xa.receiveNow("out")).isNull();
        }
    }

    @Test
    void whatWasCommittedAfterARestartIsThereAfterTheNext() throws Exception {
        try (RealBroker broker = broker()) {
            put(broker, "in", "a");
            try (Xa xa = new Xa(broker)) {
                move(xa, ONE, "a");
                xa.resource.prepare(ONE);
            }
        }
        try (RealBroker broker = broker();
                Xa xa = new Xa(broker)) {
            xa.resource.commit(ONE, false);
        }
        try (RealBroker broker = broker();
                Xa xa = new Xa(broker)) {
            assertThat(xa.receiveNow("in")).isNull();
            assertThat(xa.receive("out")).isEqualTo("a!");
        }
    }

    @Test
    void anUnpreparedBranchIsRolledBackWithItsConnection() throws Exception {
        try (RealBroker broker = broker();
                Xa other = new Xa(broker)) {
            put(broker, "in", "a");
            try (Xa xa = new Xa(broker)) {
                move(xa, ONE, "a");
            }
            assertThat(other.receive("in")).isEqualTo("again: a");
            assertThat(other.receiveNow("out")).isNull();
            failsWith(XAException.XAER_NOTA, () -> other.resource.prepare(ONE));
        }
    }

    @Test
    void theResourceServesAfterItsSessionIsClosed() throws Exception {
        try (RealBroker broker = broker();
                Xa xa = new Xa(broker)) {
            put(broker, "in", "a");
            xa.start(ONE);
            xa.receive("in");
            xa.send("out", "a!");
            xa.session.close();
            xa.end(ONE);
            xa.resource.prepare(ONE);
            xa.resource.commit(ONE, false);
            try (Xa other = new Xa(broker)) {
                assertThat(other.receive("out")).isEqualTo("a!");
                assertThat(other.receiveNow("in")).isNull();
            }
        }
    }

    @Test
    void aSuspendedBranchTakesNoWorkUntilItIsResumed() throws Exception {
        try (RealBroker broker = broker();
                Xa xa = new Xa(broker);
                Xa other = new Xa(broker)) {
            xa.start(ONE);
            xa.send("out", "first");
            xa.resource.end(ONE, XAResource.TMSUSPEND);
            xa.send("out", "outside");
            assertThat(other.receive("out")).isEqualTo("outside");
            failsWith(XAException.XAER_PROTO, () -> xa.resource.prepare(ONE));
            xa.start(TWO);
            xa.send("out", "second");
            xa.end(TWO);
            xa.resource.start(ONE, XAResource.TMRESUME);
            xa.send("out", "third");
            xa.end(ONE);
            xa.resource.commit(ONE, true);
            assertThat(other.receive("out")).isEqualTo("first");
            assertThat(other.receive("out")).isEqualTo("third");
            assertThat(other.receiveNow("out")).isNull();
            xa.resource.rollback(TWO);
            failsWith(XAException.XAER_NOTA, () -> xa.resource.start(ONE, XAResource.TMRESUME));
        }
    }

    @Test
    void sessionsOfOneConnectionJoinABranchAndThoseOfOthersDoNot() throws Exception {
        try (RealBroker broker = broker();
                Xa xa = new Xa(broker);
                Xa stranger = new Xa(broker)) {
            XASession second = xa.connection.createXASession();
            XAResource joined = second.getXAResource();
            assertThat(xa.resource.isSameRM(joined)).isTrue();
            assertThat(xa.resource.isSameRM(stranger.resource)).isFalse();
            xa.start(ONE);
            xa.send("out", "a");
            xa.end(ONE);
            joined.start(ONE, XAResource.TMJOIN);
            second.createProducer(second.createQueue("out")).send(second.createTextMessage("b"));
            joined.end(ONE, XAResource.TMSUCCESS);
            failsWith(XAException.XAER_PROTO, () -> stranger.resource.start(ONE, XAResource.TMJOIN));
            xa.resource.prepare(ONE);
            stranger.resource.commit(ONE, false);
            assertThat(stranger.receive("out")).isEqualTo("a");
            assertThat(stranger.receive("out")).isEqualTo("b");
        }
    }

    @Test
    void aWrongCallFailsAloneAndTheConnectionsOtherBranchesGoOn() throws Exception {
        try (RealBroker broker = broker();
                Xa xa = new Xa(broker)) {
            XASession closed = xa.connection.createXASession();
            closed.close();
            xa.start(ONE);
            xa.send("out", "a");
            failsWith(XAException.XAER_PROTO, () -> closed.getXAResource().start(TWO, XAResource.TMNOFLAGS));
            xa.end(ONE);
            xa.resource.commit(ONE, true);
            assertThat(xa.receive("out")).isEqualTo("a");
        }
    }

    @Test
    void aBranchThatIsRolledBackWhileASessionWorksInItFreesTheSession() throws Exception {
        try (RealBroker broker = broker();
                Xa xa = new Xa(broker);
                Xa other = new Xa(broker)) {
            put(broker, "in", "a");
            xa.start(ONE);
            xa.receive("in");
            other.resource.rollback(ONE);
            assertThat(other.receive("in")).isEqualTo("again: a");
            assertThatThrownBy(() -> xa.send("out", "late")).isInstanceOf(TransactionRolledBackException.class);
            failsWith(XAException.XAER_NOTA, () -> xa.end(ONE));
            xa.start(TWO);
            xa.send("out", "b");
            xa.end(TWO);
            xa.resource.commit(TWO, true);
            assertThat(other.receive("out")).isEqualTo("b");
        }
    }

    @Test
    void aCompletionListenerDoesNotEndItsSessionsBranch() throws Exception {
        try (RealBroker broker = broker();
                Xa xa = new Xa(broker)) {
            List<Integer> codes = new CopyOnWriteArrayList<>();
            xa.start(ONE);
            CompletableFuture<Void> called = new CompletableFuture<>();
            xa.session
                    .createProducer(xa.queue("out"))
                    .send(xa.session.createTextMessage("a"), new CompletionListener() {
                        @Override
                        public void onCompletion(Message message) {
                            try {
                                xa.end(ONE);
                            } catch (XAException e) {
                                codes.add(e.errorCode);
                            }
                            called.complete(null);
                        }

                        @Override
                        public void onException(Message message, Exception exception) {
                            called.completeExceptionally(exception);
                        }
                    });
            called.join();
            assertThat(codes).containsExactly(XAException.XAER_PROTO);
            xa.end(ONE);
            xa.resource.commit(ONE, true);
            assertThat(xa.receive("out")).isEqualTo("a");
        }
    }

    @Test
    void workThatFailedCanOnlyBeRolledBack() throws Exception {
        try (RealBroker broker = broker();
                Xa xa = new Xa(broker)) {
            put(broker, "in", "a");
            xa.start(ONE);
            xa.receive("in");
            xa.resource.end(ONE, XAResource.TMFAIL);
            failsWith(XAException.XA_RBROLLBACK, () -> xa.resource.commit(ONE, true));
            assertThat(xa.receive("in")).isEqualTo("again: a");
            failsWith(XAException.XAER_NOTA, () -> xa.resource.rollback(ONE));
        }
    }

    @Test
    void aBranchWithARefusedSendIsNotPrepared() throws Exception {
        try (RealBroker broker =
                        new RealBroker(journal, "queues.out.maximum-message-size=200", "queues.in.jndi-name=");
                Xa xa = new Xa(broker)) {
            put(broker, "in", "a");
            xa.start(ONE);
            xa.receive("in");
            assertThatThrownBy(() -> xa.send("out", "x".repeat(500))).isInstanceOf(JMSException.class);
            xa.end(ONE);
            failsWith(XAException.XA_RBROLLBACK, () -> xa.resource.prepare(ONE));
            assertThat(xa.receive("in")).isEqualTo("again: a");
        }
    }

    @Test
    void itsTimeOutRollsAnUnpreparedBranchBack() throws Exception {
        try (RealBroker broker = broker();
                Xa xa = new Xa(broker);
                Xa other = new Xa(broker)) {
            put(broker, "in", "a");
            assertThat(xa.resource.setTransactionTimeout(1)).isTrue();
            xa.start(ONE);
            xa.receive("in");
            // comes when the time is over
            assertThat(other.receive("in")).isEqualTo("again: a");
            assertThatThrownBy(() -> xa.send("out", "late"))
                    .isInstanceOf(TransactionRolledBackException.class)
                    .hasMessageContaining("time-out of 1 s");
            failsWith(XAException.XA_RBTIMEOUT, () -> xa.end(ONE));
            failsWith(XAException.XA_RBTIMEOUT, () -> xa.resource.prepare(ONE));
            assertThat(other.receiveNow("out")).isNull();
            xa.start(TWO);
            xa.send("out", "b");
            xa.end(TWO);
            xa.resource.commit(TWO, true);
            assertThat(other.receive("out")).isEqualTo("b");
        }
    }

    @Test
    void aManagerThatGivesNoTimeGetsTheServersTimeOut() throws Exception {
        try (RealBroker broker = new RealBroker(journal, "queues.in.jndi-name=", "jms-server.transaction-timeout=1s");
                Xa xa = new Xa(broker);
                Xa other = new Xa(broker)) {
            put(broker, "in", "a");
            xa.start(ONE);
            xa.receive("in");
            xa.end(ONE);
            assertThat(other.receive("in")).isEqualTo("again: a");
            failsWith(XAException.XA_RBTIMEOUT, () -> xa.resource.prepare(ONE));
        }
    }

    @Test
    void outsideOfBranchesTheSessionAcknowledgesAutomatically() throws Exception {
        try (RealBroker broker = broker()) {
            try (Xa xa = new Xa(broker)) {
                put(broker, "in", "a");
                put(broker, "in", "b");
                assertThat(xa.session.getTransacted()).isTrue();
                assertThatThrownBy(xa.session::commit).isInstanceOf(TransactionInProgressException.class);
                assertThatThrownBy(xa.session::rollback).isInstanceOf(TransactionInProgressException.class);
                assertThat(xa.receive("in")).isEqualTo("a");
                xa.start(ONE);
                assertThat(xa.receive("in")).isEqualTo("b");
                xa.end(ONE);
                put(broker, "in", "c");
                assertThat(xa.receive("in")).isEqualTo("c");
                xa.resource.rollback(ONE);
            }
            try (Xa xa = new Xa(broker)) {
                assertThat(xa.receive("in")).isEqualTo("again: b");
                assertThat(xa.receiveNow("in")).isNull();
            }
        }
    }

    @Test
    void aListenerConsumesInTheBranchThatIsOpen() throws Exception {
        try (RealBroker broker = broker();
                Xa xa = new Xa(broker);
                Xa other = new Xa(broker)) {
            xa.start(ONE);
            CompletableFuture<String> got = new CompletableFuture<>();
            MessageConsumer consumer = xa.session.createConsumer(xa.queue("in"));
            consumer.setMessageListener(m -> got.complete("got"));
            put(broker, "in", "a");
            got.join();
            consumer.close();
            xa.end(ONE);
            xa.resource.rollback(ONE);
            assertThat(other.receive("in")).isEqualTo("again: a");
        }
    }

    @Test
    void prefetchAndUserTransactionsExcludeEachOther() throws Exception {
        try (RealBroker broker = broker();
                Xa xa = new Xa(broker, "synchronous-prefetch-mode=enabled")) {
            put(broker, "in", "a");
            put(broker, "in", "b");
            try (MessageConsumer consumer = xa.session.createConsumer(xa.queue("in"))) {
                assertThat(consumer.receive(60_000)).isNotNull();
                xa.start(ONE);
                assertThatThrownBy(() -> consumer.receive(60_000))
                        .isInstanceOf(JMSException.class)
                        .hasMessageContaining("user transaction");
                xa.end(ONE);
            }
            xa.resource.rollback(ONE);
        }
    }

    @Test
    void anOperatorsDecisionIsKeptUntilTheManagerHasHeardOfIt() throws Exception {
        try (RealBroker broker = broker()) {
            put(broker, "in", "a");
            put(broker, "in", "b");
            try (Xa xa = new Xa(broker)) {
                move(xa, ONE, "a");
                xa.resource.prepare(ONE);
                move(xa, TWO, "b");
                xa.resource.prepare(TWO);
                decide(broker, ONE, true);
                decide(broker, TWO, false);
                assertThat(xa.receive("out")).isEqualTo("a!");
                assertThat(xa.receive("in")).isEqualTo("again: b");
            }
        }
        try (RealBroker broker = broker();
                Xa xa = new Xa(broker)) {
            assertThat(xa.inDoubt()).containsExactlyInAnyOrder(Xa.text(ONE), Xa.text(TWO));
            failsWith(XAException.XA_HEURCOM, () -> xa.resource.rollback(ONE));
            failsWith(XAException.XA_HEURRB, () -> xa.resource.commit(TWO, false));
            xa.resource.forget(ONE);
            xa.resource.forget(TWO);
            failsWith(XAException.XAER_NOTA, () -> xa.resource.forget(TWO));
            assertThat(xa.inDoubt()).isEmpty();
        }
        try (RealBroker broker = broker();
                Xa xa = new Xa(broker)) {
            assertThat(xa.inDoubt()).isEmpty();
        }
    }

    private static void decide(RealBroker broker, Xid xid, boolean commit) {
        Branch branch = Objects.requireNonNull(
                broker.broker.engine().branches().find(Objects.requireNonNull(BranchId.of(xid))));
        CompletableFuture<Integer> code = new CompletableFuture<>();
        branch.home().run(() -> branch.decide(commit, (c, _) -> code.complete(c)));
        assertThat(code.join()).isEqualTo(XAResource.XA_OK);
    }

    @Test
    void recoveryListsMoreThanOnePageAndOnlyOnesOwn() throws Exception {
        int many = 1201;
        try (RealBroker broker = broker();
                Xa xa = new Xa(broker);
                Xa other = new Xa(broker, "user=somebody")) {
            for (int i = 0; i < many; i++) {
                xa.start(Xa.xid(i));
                xa.send("out", "m");
                xa.end(Xa.xid(i));
                xa.resource.prepare(Xa.xid(i));
            }
            assertThat(xa.inDoubt()).hasSize(many).doesNotHaveDuplicates();
            assertThat(xa.resource.recover(XAResource.TMNOFLAGS)).isEmpty();
            assertThat(other.inDoubt()).isEmpty();
            failsWith(XAException.XAER_RMFAIL, () -> other.resource.commit(Xa.xid(0), false));
            failsWith(XAException.XAER_INVAL, () -> xa.resource.recover(1));
        }
    }

    @Test
    void branchesAreBounded() throws Exception {
        try (RealBroker broker = new RealBroker(journal, "queues.out.jndi-name=", "limits.transaction-branches=3");
                Xa xa = new Xa(broker)) {
            for (int i = 0; i < 3; i++) {
                xa.start(Xa.xid(i));
                xa.end(Xa.xid(i));
            }
            assertThatThrownBy(() -> xa.start(Xa.xid(3)))
                    .isInstanceOf(XAException.class)
                    .hasMessageContaining("limits.transaction-branches");
            xa.resource.rollback(Xa.xid(0));
            xa.start(Xa.xid(3));
            xa.end(Xa.xid(3));
        }
    }
}
