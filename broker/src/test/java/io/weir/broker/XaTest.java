package io.weir.broker;

import static io.weir.broker.Xa.failsWith;
import static io.weir.broker.Xa.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.broker.report.BrokerMessages;
import io.weir.broker.xa.Branch;
import io.weir.jms.frames.BranchId;
import jakarta.jms.JMSException;
import jakarta.jms.TransactionRolledBackException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
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
