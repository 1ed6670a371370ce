package io.weir.lab.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Asynchronous sends, section 7.3 of the specification. */
@Timeout(300)
class AsyncSendRulesTest {
    @RegisterExtension
    static final OneServer SERVER =
            new OneServer("messaging.quotas.one.messages-maximum=1", "messaging.queues.narrow.quota=one");

    private static final long MILLIS = 20_000;
    private final Connection connection = SERVER.factory().createConnection();
    private final Session session = connection.createSession();
    private final Queue q = session.createQueue("q");

    AsyncSendRulesTest() throws JMSException {
        connection.start();
    }

    @AfterEach
    void close() throws JMSException {
        connection.close();
    }

    /** Notes completions and failures in their order. */
    private static final class Completions implements CompletionListener {
        final List<String> notes = new CopyOnWriteArrayList<>();
        final List<Message> messages = new CopyOnWriteArrayList<>();
        final List<Exception> failures = new CopyOnWriteArrayList<>();

        @Override
        public void onCompletion(Message message) {
            messages.add(message);
            notes.add(text(message));
        }

        @Override
        public void onException(Message message, Exception exception) {
            failures.add(exception);
            notes.add("failed " + text(message));
        }

        private static String text(Message message) {
            try {
                return message.getBody(String.class);
            } catch (JMSException e) {
                return e.toString();
            }
        }

        void await(int count) {
            Await.until(count + " completions", () -> notes.size() >= count);
        }
    }

    @Test
    void everySendIsCompletedOnceInItsOrder() throws Exception {
        Completions completions = new Completions();
        try (MessageProducer p = session.createProducer(q)) {
            for (String text : Arrivals.numbered("m", 200)) {
                p.send(session.createTextMessage(text), completions);
            }
            completions.await(200);
        }
        assertThat(completions.notes).isEqualTo(Arrivals.numbered("m", 200));
        assertThat(completions.failures).isEmpty();
    }

    @Test
    void aSendReturnsWhileTheServerHasNoRoomForItsMessage() throws Exception {
        Completions completions = new Completions();
        try (Connection patient = SERVER.factory("send-timeout=20000").createConnection();
                Session s = patient.createSession()) {
            patient.start();
            Queue narrow = s.createQueue("narrow");
            MessageProducer p = s.createProducer(narrow);
            p.send(s.createTextMessage("fills it"));
            p.send(s.createTextMessage("waits"), completions);
            assertThat(completions.notes).isEmpty();
            MessageConsumer in = patient.createSession().createConsumer(narrow);
            assertThat(in.receive(MILLIS)).isNotNull();
            completions.await(1);
            assertThat(completions.notes).containsExactly("waits");
            assertThat(in.receive(MILLIS)).isNotNull();
        }
    }

    @Test
    void theMessageIsTheOneThatWasSentWithItsHeaderSet() throws Exception {
        Completions completions = new Completions();
        TextMessage m = session.createTextMessage("x");
        session.createProducer(q).send(m, DeliveryMode.NON_PERSISTENT, 7, 100_000, completions);
        completions.await(1);
        Message completed = completions.messages.getFirst();
        assertThat(completed).isSameAs(m);
        assertThat(completed.getJMSMessageID()).startsWith("ID:");
        assertThat(completed.getJMSPriority()).isEqualTo(7);
        assertThat(completed.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
        assertThat(completed.getJMSExpiration() - completed.getJMSTimestamp()).isEqualTo(100_000);
        assertThat(completed.getJMSDestination()).isEqualTo(q);
    }

    @Test
    void synchronousAndAsynchronousSendsKeepTheirOrder() throws Exception {
        Completions completions = new Completions();
        MessageProducer p = session.createProducer(q);
        for (int i = 0; i < 60; i++) {
            if (i % 3 == 2) {
                p.send(session.createTextMessage("m" + i));
            } else {
                p.send(session.createTextMessage("m" + i), completions);
            }
        }
        MessageConsumer in = session.createConsumer(q);
        List<String> got = new ArrayList<>();
        while (got.size() < 60) {
            got.add(Objects.requireNonNull(in.receive(MILLIS)).getBody(String.class));
        }
        assertThat(got).isEqualTo(Arrivals.numbered("m", 60));
        completions.await(40);
    }

    @Test
    void aSendThatTheServerRefusesIsToldToTheListener() throws Exception {
        Completions completions = new Completions();
        Queue temporary = session.createTemporaryQueue();
        MessageProducer p = session.createProducer(temporary);
        p.send(session.createTextMessage("first"), completions);
        completions.await(1);
        ((jakarta.jms.TemporaryQueue) temporary).delete();
        MessageProducer anonymous = session.createProducer(null);
        try {
            anonymous.send(temporary, session.createTextMessage("second"), completions);
        } catch (InvalidDestinationException e) {
            // known here already: then the listener must not hear of it
            anonymous.send(q, session.createTextMessage("third"), completions);
            completions.await(2);
            assertThat(completions.notes).containsExactly("first", "third");
            return;
        }
        completions.await(2);
        assertThat(completions.notes).containsExactly("first", "failed second");
        assertThat(completions.failures.getFirst()).isInstanceOf(InvalidDestinationException.class);
    }

    @Test
    void whatTheCallThrowsTheListenerDoesNotHear() throws Exception {
        Completions completions = new Completions();
        MessageProducer p = session.createProducer(q);
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> p.send(session.createTextMessage("x"), noListener()));
        assertThatExceptionOfType(JMSException.class)
                .isThrownBy(() -> p.send(session.createTextMessage("x"), 17, 4, 0, completions));
        assertThatExceptionOfType(InvalidDestinationException.class)
                .isThrownBy(() -> session.createProducer(null).send(nowhere(), session.createMessage(), completions));
        p.send(session.createTextMessage("good"), completions);
        completions.await(1);
        assertThat(completions.notes).containsExactly("good");
    }

    @SuppressWarnings("NullAway") // what the test is about
    private static CompletionListener noListener() {
        return null;
    }

    @SuppressWarnings("NullAway") // what the test is about
    private static Queue nowhere() {
        return null;
    }

    @Test
    void closeWaitsForAllCompletions() throws Exception {
        Completions completions = new Completions();
        Session closing = connection.createSession();
        MessageProducer p = closing.createProducer(q);
        for (String text : Arrivals.numbered("m", 50)) {
            p.send(closing.createTextMessage(text), completions);
        }
        p.close();
        assertThat(completions.notes).isEqualTo(Arrivals.numbered("m", 50));
        MessageProducer another = closing.createProducer(q);
        for (String text : Arrivals.numbered("n", 50)) {
            another.send(closing.createTextMessage(text), completions);
        }
        closing.close();
        assertThat(completions.notes).hasSize(100);
    }

    @Test
    void commitWaitsForAllCompletions() throws Exception {
        Completions completions = new Completions();
        try (Session transacted = connection.createSession(Session.SESSION_TRANSACTED)) {
            MessageProducer p = transacted.createProducer(q);
            for (String text : Arrivals.numbered("m", 50)) {
                p.send(transacted.createTextMessage(text), completions);
            }
            transacted.commit();
            assertThat(completions.notes).isEqualTo(Arrivals.numbered("m", 50));
            p.send(transacted.createTextMessage("never"), completions);
            transacted.rollback();
            assertThat(completions.notes).hasSize(51);
        }
        MessageConsumer in = session.createConsumer(q);
        for (String text : Arrivals.numbered("m", 50)) {
            assertThat(Objects.requireNonNull(in.receive(MILLIS)).getBody(String.class))
                    .isEqualTo(text);
        }
        assertThat(in.receiveNoWait()).isNull();
    }

    @Test
    void aCompletionListenerMustNotCloseCommitOrRollBackWhatItBelongsTo() throws Exception {
        CompletableFuture<List<Class<?>>> thrown = new CompletableFuture<>();
        Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
        MessageProducer p = transacted.createProducer(q);
        p.send(transacted.createTextMessage("x"), new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                thrown.complete(List.of(
                        thrownBy(transacted::close),
                        thrownBy(transacted::commit),
                        thrownBy(transacted::rollback),
                        thrownBy(p::close),
                        thrownBy(connection::close)));
            }

            @Override
            public void onException(Message message, Exception exception) {
                thrown.completeExceptionally(exception);
            }
        });
        assertThat(thrown.get(MILLIS, TimeUnit.MILLISECONDS)).hasSize(5).containsOnly(IllegalStateException.class);
        transacted.close();
    }

    /** What may throw. */
    private interface Action {
        void run() throws JMSException;
    }

    private static Class<?> thrownBy(Action action) {
        try {
            action.run();
            return Void.class;
        } catch (JMSException e) {
            return e.getClass();
        }
    }

    @Test
    void aListenerThatThrowsDisturbsNoOther() throws Exception {
        Completions completions = new Completions();
        MessageProducer p = session.createProducer(q);
        p.send(session.createTextMessage("bad"), new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                throw new java.lang.IllegalStateException("on purpose");
            }

            @Override
            public void onException(Message message, Exception exception) {
                completions.onException(message, exception);
            }
        });
        p.send(session.createTextMessage("good"), completions);
        completions.await(1);
        assertThat(completions.notes).containsExactly("good");
    }

    @Test
    void aSessionCallsOneListenerAtATimeAndNotOnTheSendersThread() throws Exception {
        Thread sender = Thread.currentThread();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger onSender = new AtomicInteger();
        CountDownLatch all = new CountDownLatch(100);
        CompletionListener listener = new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                if (Thread.currentThread().equals(sender)) {
                    onSender.incrementAndGet();
                }
                Thread.onSpinWait();
                inside.decrementAndGet();
                all.countDown();
            }

            @Override
            public void onException(Message message, Exception exception) {
                onSender.addAndGet(1000);
                all.countDown();
            }
        };
        MessageProducer one = session.createProducer(q);
        MessageProducer other = session.createProducer(session.createQueue("r"));
        for (int i = 0; i < 50; i++) {
            one.send(session.createTextMessage("x"), listener);
            other.send(session.createTextMessage("x"), listener);
        }
        assertThat(all.await(MILLIS, TimeUnit.MILLISECONDS)).isTrue();
        assertThat(most).hasValue(1);
        assertThat(onSender).hasValue(0);
    }

    @Test
    void theSimplifiedApiSendsAsynchronouslyToo() {
        Completions completions = new Completions();
        try (JMSContext context = SERVER.factory().createContext()) {
            context.createProducer().setAsync(completions).send(q, "a").send(q, "b");
            completions.await(2);
        }
        assertThat(completions.notes).containsExactly("a", "b");
    }
}
