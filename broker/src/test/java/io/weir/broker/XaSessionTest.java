package io.weir.broker;

import static io.weir.broker.Xa.failsWith;
import static io.weir.broker.Xa.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.CompletionListener;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.TransactionRolledBackException;
import jakarta.jms.XASession;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a session does in branches of distributed transactions and outside of them, with a client and a broker. */
class XaSessionTest {
    private static final Xid ONE = Xa.xid(1);
    private static final Xid TWO = Xa.xid(2);

    @TempDir
    private Path journal = Path.of("");

    private RealBroker broker() throws Exception {
        return new RealBroker(journal, "queues.in.jndi-name=", "queues.out.jndi-name=");
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
}
