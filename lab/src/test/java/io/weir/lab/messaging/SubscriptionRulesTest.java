package io.weir.lab.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Subscriptions of every kind, sections 4.2 and 8.3 of the specification. */
@Timeout(300)
class SubscriptionRulesTest {
    @RegisterExtension
    static final OneServer SERVER = new OneServer();

    private static final long MILLIS = 20_000;
    private final List<JMSContext> opened = new ArrayList<>();
    private final List<Runnable> after = new ArrayList<>();
    private JMSContext sending = open(null);
    private Topic t = sending.createTopic("t");

    @BeforeEach
    void connect() {
        t = sending.createTopic("t");
    }

    @AfterEach
    void close() {
        after.forEach(Runnable::run);
        opened.forEach(JMSContext::close);
    }

    private JMSContext open(@Nullable String clientId) {
        JMSContext context = SERVER.factory().createContext();
        if (clientId != null) {
            context.setClientID(clientId);
        }
        opened.add(context);
        return context;
    }

    private void send(int count) {
        for (String text : Arrivals.numbered("m", count)) {
            sending.createProducer().send(t, text);
        }
    }

    private static List<String> drained(JMSConsumer consumer) {
        List<String> texts = new ArrayList<>();
        for (String m = consumer.receiveBody(String.class, MILLIS);
                m != null;
                m = consumer.receiveBodyNoWait(String.class)) {
            texts.add(m);
        }
        return texts;
    }

    /** Unsubscribes when the test is over and its consumers are closed. */
    private void ends(JMSContext context, JMSConsumer consumer, String name) {
        after.add(() -> {
            consumer.close();
            context.unsubscribe(name);
        });
    }

    @Test
    void consumersOfASharedSubscriptionShareItsMessages() {
        Arrivals both = new Arrivals();
        Arrivals one = new Arrivals();
        Arrivals other = new Arrivals();
        List<Arrivals> each = List.of(one, other);
        for (Arrivals a : each) {
            open(null).createSharedConsumer(t, "shared").setMessageListener(m -> {
                a.onMessage(m);
                both.onMessage(m);
            });
        }
        send(100);
        both.awaitOnce("m", 100);
        assertThat(one.texts()).isNotEmpty();
        assertThat(other.texts()).isNotEmpty();
    }

    @Test
    void aSharedSubscriptionThatIsNotDurableEndsWithItsLastConsumer() {
        JMSContext context = open(null);
        context.createSharedConsumer(t, "shared").close();
        send(1);
        JMSConsumer later = context.createSharedConsumer(t, "shared");
        assertThat(later.receiveNoWait()).isNull();
        sending.createProducer().send(t, "now");
        assertThat(later.receiveBody(String.class, MILLIS)).isEqualTo("now");
    }

    @Test
    void aSharedDurableSubscriptionKeepsMessagesAndNeedsNoClientId() {
        JMSContext context = open(null);
        context.createSharedDurableConsumer(t, "kept").close();
        send(3);
        JMSContext another = open(null);
        JMSConsumer later = another.createSharedDurableConsumer(t, "kept");
        ends(another, later, "kept");
        assertThat(drained(later)).isEqualTo(Arrivals.numbered("m", 3));
    }

    @Test
    void twoConnectionsShareADurableSubscription() {
        Arrivals both = new Arrivals();
        JMSContext first = open(null);
        JMSConsumer one = first.createSharedDurableConsumer(t, "kept");
        JMSConsumer other = open(null).createSharedDurableConsumer(t, "kept");
        one.setMessageListener(both);
        other.setMessageListener(both);
        after.add(other::close);
        ends(first, one, "kept");
        send(50);
        both.awaitOnce("m", 50);
    }

    @Test
    void theClientIdIsPartOfASharedSubscriptionsName() {
        JMSConsumer mine = open("me").createSharedConsumer(t, "same");
        JMSConsumer nobodys = open(null).createSharedConsumer(t, "same");
        send(1);
        assertThat(mine.receiveBody(String.class, MILLIS)).isEqualTo("m0");
        assertThat(nobodys.receiveBody(String.class, MILLIS)).isEqualTo("m0");
    }

    @Test
    void aDurableAndATransientSharedSubscriptionMayHaveTheSameName() {
        JMSContext context = open(null);
        JMSConsumer fleeting = context.createSharedConsumer(t, "same");
        JMSConsumer durable = context.createSharedDurableConsumer(t, "same");
        ends(context, durable, "same");
        send(1);
        assertThat(fleeting.receiveBody(String.class, MILLIS)).isEqualTo("m0");
        assertThat(durable.receiveBody(String.class, MILLIS)).isEqualTo("m0");
    }

    @Test
    void aSharedSubscriptionInUseHasOneTopicAndSelector() {
        JMSContext context = open(null);
        JMSConsumer durable = context.createSharedDurableConsumer(t, "kept", "a = 1");
        ends(context, durable, "kept");
        context.createSharedConsumer(t, "shared", "a = 1");
        JMSContext other = open(null);
        Topic u = other.createTopic("u");
        assertThatExceptionOfType(JMSRuntimeException.class)
                .isThrownBy(() -> other.createSharedConsumer(t, "shared", "a = 2"));
        assertThatExceptionOfType(JMSRuntimeException.class)
                .isThrownBy(() -> other.createSharedConsumer(u, "shared", "a = 1"));
        assertThatExceptionOfType(JMSRuntimeException.class)
                .isThrownBy(() -> other.createSharedDurableConsumer(t, "kept", "a = 2"));
        assertThatExceptionOfType(JMSRuntimeException.class)
                .isThrownBy(() -> other.createSharedDurableConsumer(u, "kept", "a = 1"));
    }

    @Test
    void aSharedAndAnUnsharedDurableSubscriptionMayNotHaveTheSameNameAndClientId() {
        JMSContext context = open("me");
        JMSConsumer shared = context.createSharedDurableConsumer(t, "kept");
        assertThatExceptionOfType(JMSRuntimeException.class).isThrownBy(() -> context.createDurableConsumer(t, "kept"));
        shared.close();
        assertThatExceptionOfType(JMSRuntimeException.class).isThrownBy(() -> context.createDurableConsumer(t, "kept"));
        context.unsubscribe("kept");
        JMSConsumer durable = context.createDurableConsumer(t, "kept");
        ends(context, durable, "kept");
        assertThatExceptionOfType(JMSRuntimeException.class)
                .isThrownBy(() -> context.createSharedDurableConsumer(t, "kept"));
    }

    @Test
    void aDurableSubscriptionNeedsAClientId() {
        JMSContext nobody = open(null);
        assertThatExceptionOfType(IllegalStateRuntimeException.class)
                .isThrownBy(() -> nobody.createDurableConsumer(t, "kept"));
    }

    @Test
    void aDurableSubscriptionHasOneConsumer() {
        JMSContext context = open("me");
        JMSConsumer one = context.createDurableConsumer(t, "kept");
        ends(context, one, "kept");
        assertThatExceptionOfType(JMSRuntimeException.class).isThrownBy(() -> context.createDurableConsumer(t, "kept"));
    }

    @Test
    void aDurableSubscriptionKeepsWhatComesMeanwhile() {
        JMSContext context = open("me");
        context.createDurableConsumer(t, "kept").close();
        send(3);
        JMSConsumer again = context.createDurableConsumer(t, "kept");
        ends(context, again, "kept");
        assertThat(drained(again)).isEqualTo(Arrivals.numbered("m", 3));
    }

    @Test
    void anotherSelectorOrTopicMakesANewDurableSubscription() {
        JMSContext context = open("me");
        context.createDurableConsumer(t, "kept").close();
        send(3);
        context.createDurableConsumer(t, "kept", "a = 1", false).close();
        JMSConsumer selecting = context.createDurableConsumer(t, "kept", "a = 1", false);
        assertThat(selecting.receiveNoWait()).isNull();
        sending.createProducer().setProperty("a", 1).send(t, "selected");
        assertThat(selecting.receiveBody(String.class, MILLIS)).isEqualTo("selected");
        selecting.close();
        sending.createProducer().setProperty("a", 1).send(t, "lost with the old topic");
        JMSConsumer elsewhere = context.createDurableConsumer(context.createTopic("u"), "kept");
        ends(context, elsewhere, "kept");
        assertThat(elsewhere.receiveNoWait()).isNull();
    }

    @Test
    void whatIsUnsubscribedForgetsItsMessages() {
        JMSContext context = open("me");
        context.createDurableConsumer(t, "kept").close();
        send(3);
        context.unsubscribe("kept");
        JMSConsumer fresh = context.createDurableConsumer(t, "kept");
        ends(context, fresh, "kept");
        assertThat(fresh.receiveNoWait()).isNull();
    }

    @Test
    void aSubscriptionInUseCanNotBeUnsubscribed() {
        JMSContext context = open("me");
        JMSConsumer durable = context.createDurableConsumer(t, "kept");
        ends(context, durable, "kept");
        assertThatExceptionOfType(IllegalStateRuntimeException.class).isThrownBy(() -> context.unsubscribe("kept"));
    }

    @Test
    void aSubscriptionWithUncommittedMessagesCanNotBeUnsubscribed() {
        JMSContext context = open("me");
        JMSContext transacted = context.createContext(JMSContext.SESSION_TRANSACTED);
        opened.add(transacted);
        JMSConsumer durable = transacted.createDurableConsumer(t, "kept");
        send(1);
        assertThat(durable.receive(MILLIS)).isNotNull();
        durable.close();
        assertThatExceptionOfType(JMSRuntimeException.class).isThrownBy(() -> context.unsubscribe("kept"));
        transacted.commit();
        context.unsubscribe("kept");
    }

    @Test
    void anUnknownSubscriptionCanNotBeUnsubscribed() {
        assertThatExceptionOfType(InvalidDestinationRuntimeException.class)
                .isThrownBy(() -> open("me").unsubscribe("nothing"));
    }

    @Test
    void aPlainSubscriptionOnlyGetsWhatIsPublishedWhileItIsThere() {
        send(2);
        JMSConsumer plain = open(null).createConsumer(t);
        sending.createProducer().send(t, "now");
        assertThat(plain.receiveBody(String.class, MILLIS)).isEqualTo("now");
        assertThat(plain.receiveNoWait()).isNull();
    }

    @Test
    void noLocalKeepsTheConnectionsOwnMessagesAway() {
        JMSContext context = open(null);
        JMSConsumer notMine = context.createConsumer(t, null, true);
        JMSConsumer all = context.createConsumer(t, null, false);
        context.createProducer().send(t, "mine");
        sending.createProducer().send(t, "another's");
        assertThat(notMine.receiveBody(String.class, MILLIS)).isEqualTo("another's");
        assertThat(drained(all)).containsExactly("mine", "another's");
    }

    @Test
    void noLocalOfADurableSubscriptionGoesByTheClientId() {
        JMSContext first = open("me");
        first.createDurableConsumer(t, "kept", null, true).close();
        first.close();
        JMSContext context = open("me");
        context.createProducer().send(t, "mine");
        JMSConsumer durable = context.createDurableConsumer(t, "kept", null, true);
        ends(context, durable, "kept");
        sending.createProducer().send(t, "another's");
        assertThat(durable.receiveBody(String.class, MILLIS)).isEqualTo("another's");
        assertThat(durable.receiveNoWait()).isNull();
    }
}
