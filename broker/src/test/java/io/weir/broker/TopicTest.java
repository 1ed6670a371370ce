package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.broker.report.BrokerStats;
import io.weir.broker.subscription.Subscriptions;
import io.weir.jms.frames.ClientFrames;
import io.weir.jms.frames.ClientFrames.OpenConsumer;
import io.weir.jms.frames.DestinationKind;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.RefusalCode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TopicTest {
    private static final DestinationName T = Bench.topic("t");
    private static final int DURABLE = OpenConsumer.DURABLE | OpenConsumer.ASYNC;
    private static final int SHARED = OpenConsumer.SHARED | OpenConsumer.ASYNC;
    private final Bench bench = new Bench("topics.u.jndi-name=");

    @AfterEach
    void close() {
        bench.close();
    }

    private Probe client(@Nullable String clientId) {
        Probe p = bench.client();
        if (clientId != null) {
            p.expectOk(p.request(
                    FrameType.SET_CLIENT_ID, 0, (r, b) -> new ClientFrames.SetClientId(r, false, clientId).write(b)));
        }
        p.session(1, Probe.AUTO);
        return p;
    }

    private int unsubscribe(Probe p, String name) {
        return p.request(FrameType.UNSUBSCRIBE, 0, (r, b) -> new ClientFrames.Unsubscribe(r, name).write(b));
    }

    private long stored() {
        return bench.destination("topic/t").counts.messages.current();
    }

    @Test
    void everySubscriberGetsEveryMessageAndItIsGoneAfterTheLast() {
        Probe a = client(null);
        Probe b = client(null);
        a.listen(1, 5, T);
        b.listen(1, 5, T);
        a.send(1, T, "m");
        assertThat(a.bodies()).containsExactly("m");
        assertThat(b.bodies()).containsExactly("m");
        a.ack(1, 1, 1);
        assertThat(stored()).isEqualTo(1);
        b.ack(1, 1, 1);
        assertThat(stored()).isZero();
    }

    @Test
    void withoutSubscribersAMessageIsGoneAtOnce() {
        Probe a = client(null);
        a.send(1, T, "m");
        assertThat(stored()).isZero();
        assertThat(bench.quota("server").messages()).isZero();
    }

    @Test
    void noLocalKeepsAwayTheConnectionsOwn() {
        Probe a = client(null);
        a.expectOk(a.open(1, 5, T, OpenConsumer.ASYNC | OpenConsumer.NO_LOCAL, null, null));
        a.send(1, T, "own");
        client(null).send(1, T, "other");
        assertThat(a.bodies()).containsExactly("other");
    }

    @Test
    void aDurableSubscriptionKeepsWhatComesWhileNobodyListens() {
        Probe a = client("me");
        a.expectOk(a.open(1, 5, T, DURABLE, null, "sub"));
        a.lose();
        Probe b = client(null);
        b.send(1, T, "kept");
        Probe again = client("me");
        again.expectOk(again.open(1, 5, T, DURABLE, null, "sub"));
        assertThat(again.bodies()).containsExactly("kept");
    }

    @Test
    void aDurableSubscriptionHasOneConsumerUnlessItIsShared() {
        Probe a = client("me");
        a.expectOk(a.open(1, 5, T, DURABLE, null, "sub"));
        assertThat(a.expectRefusal(a.open(1, 6, T, DURABLE, null, "sub")).code())
                .isEqualTo(RefusalCode.ILLEGAL_STATE);
        assertThat(a.expectRefusal(a.open(1, 6, T, DURABLE | SHARED, null, "sub"))
                        .text())
                .contains("unshared");
    }

    @Test
    void anIdleDurableSubscriptionIsReplacedWhenItsTermsChange() {
        Probe a = client("me");
        a.expectOk(a.open(1, 5, T, DURABLE, null, "sub"));
        a.expectOk(a.closeConsumer(1, 5, 0));
        a.send(1, T, "old");
        a.expectOk(a.open(1, 6, Bench.topic("u"), DURABLE, null, "sub"));
        assertThat(a.bodies()).isEmpty();
        a.send(1, Bench.topic("u"), "new");
        assertThat(a.bodies()).containsExactly("new");
        assertThat(stored()).isZero();
    }

    @Test
    void unsubscribeDeletesWhatItHeldAndRefusesWhileInUse() {
        Probe a = client("me");
        a.expectOk(a.open(1, 5, T, DURABLE, null, "sub"));
        assertThat(a.expectRefusal(unsubscribe(a, "sub")).code()).isEqualTo(RefusalCode.ILLEGAL_STATE);
        a.expectOk(a.closeConsumer(1, 5, 0));
        a.send(1, T, "m");
        assertThat(stored()).isEqualTo(1);
        a.expectOk(unsubscribe(a, "sub"));
        assertThat(stored()).isZero();
        assertThat(a.expectRefusal(unsubscribe(a, "sub")).code()).isEqualTo(RefusalCode.INVALID_DESTINATION);
    }

    @Test
    void anUnsharedDurableSubscriptionNeedsAClientIdentifier() {
        Probe a = client(null);
        assertThat(a.expectRefusal(a.open(1, 5, T, DURABLE, null, "sub")).code())
                .isEqualTo(RefusalCode.ILLEGAL_STATE);
    }

    @Test
    void aSharedSubscriptionDividesItsMessages() {
        Probe a = client(null);
        Probe b = client(null);
        a.expectOk(a.open(1, 5, T, SHARED, null, "s"));
        b.expectOk(b.open(1, 5, T, SHARED, null, "s"));
        for (int i = 0; i < 4; i++) {
            a.send(1, T, "m" + i);
        }
        assertThat(a.bodies()).hasSize(2);
        assertThat(b.bodies()).hasSize(2);
        a.lose();
        assertThat(b.deliveries()).hasSize(2).allMatch(Probe.Delivery::redelivered);
        b.lose();
        assertThat(bench.engine.subscriptions().all()).isEmpty();
        assertThat(stored()).isZero();
    }

    @Test
    void aSharedDurableSubscriptionOutlivesItsConsumers() {
        Probe a = client(null);
        a.expectOk(a.open(1, 5, T, SHARED | DURABLE, null, "s"));
        a.lose();
        Probe b = client(null);
        b.send(1, T, "kept");
        b.expectOk(b.open(1, 5, T, SHARED | DURABLE, null, "s"));
        assertThat(b.bodies()).containsExactly("kept");
    }

    @Test
    void aClientIdentifierBelongsToOneConnection() {
        client("me");
        Probe b = bench.client();
        int request =
                b.request(FrameType.SET_CLIENT_ID, 0, (r, f) -> new ClientFrames.SetClientId(r, false, "me").write(f));
        assertThat(b.expectRefusal(request).code()).isEqualTo(RefusalCode.INVALID_CLIENT_ID);
    }

    @Test
    void namesOfSubscriptionsAndClientsAreBounded() {
        Probe a = client("me");
        String longest = "s".repeat(Subscriptions.LONGEST_NAME);
        a.expectOk(a.open(1, 5, T, DURABLE, null, longest));
        var refused = a.expectRefusal(a.open(1, 6, T, DURABLE, null, longest + "s"));
        assertThat(refused.code()).isEqualTo(RefusalCode.INVALID_DESTINATION);
        assertThat(refused.text()).contains("a name of 256 characters, the maximum is 255");
        Probe b = bench.client();
        int request = b.request(
                FrameType.SET_CLIENT_ID, 0, (r, f) -> new ClientFrames.SetClientId(r, false, longest + "s").write(f));
        assertThat(b.expectRefusal(request).code()).isEqualTo(RefusalCode.INVALID_CLIENT_ID);
    }

    @Test
    void theMessagesLimitDeletesTheFirstThatAreNotAtAConsumer() {
        bench.change("topics.t.messages-limit=2");
        Probe a = client("me");
        a.session(2, Probe.AUTO, 1);
        a.expectOk(a.open(2, 5, T, DURABLE, null, "sub"));
        for (int i = 1; i <= 4; i++) {
            a.send(1, T, "m" + i);
        }
        assertThat(a.bodies()).containsExactly("m1");
        a.credit(2, 1, 100);
        assertThat(a.bodies()).containsExactly("m4");
        assertThat(bench.stats.value(BrokerStats.OVERRUN, "topic/t")).isEqualTo(2);
    }

    @Test
    void aSlowDurableSubscriptionDoesNotHoldUpAFastOne() {
        Probe slow = client("slow");
        slow.session(2, Probe.CLIENT, 1);
        slow.expectOk(slow.open(2, 5, T, DURABLE, null, "sub"));
        Probe fast = client("fast");
        fast.session(2, Probe.NO_ACK, -1);
        fast.expectOk(fast.open(2, 5, T, DURABLE, null, "sub"));
        for (int i = 0; i < 1000; i++) {
            fast.send(1, T, "m" + i);
        }
        assertThat(fast.bodies()).hasSize(1000);
        assertThat(slow.bodies()).hasSize(1);
        assertThat(stored()).isEqualTo(1000);
    }

    // temporary destinations

    @Test
    void aTemporaryQueueIsItsConnectionsAndGoesWithIt() {
        Probe a = client(null);
        Probe b = client(null);
        DestinationName reply = a.temporary(DestinationKind.TEMPORARY_QUEUE);
        a.listen(1, 5, reply);
        b.send(1, reply, "answer");
        assertThat(a.bodies()).containsExactly("answer");
        assertThat(b.expectRefusal(b.open(1, 6, reply, 0, null, null)).code())
                .isEqualTo(RefusalCode.INVALID_DESTINATION);
        int delete =
                b.request(FrameType.DELETE_TEMPORARY, 0, (r, f) -> new ClientFrames.DeleteTemporary(r, reply).write(f));
        assertThat(b.expectRefusal(delete).text()).contains("another connection");
        a.lose();
        assertThat(b.expectRefusal(b.send(1, reply, new Probe.Draft("late"))).code())
                .isEqualTo(RefusalCode.INVALID_DESTINATION);
    }

    @Test
    void aTemporaryDestinationWithConsumersIsNotDeleted() {
        Probe a = client(null);
        DestinationName temp = a.temporary(DestinationKind.TEMPORARY_TOPIC);
        a.listen(1, 5, temp);
        assertThat(a.expectRefusal(delete(a, temp)).code()).isEqualTo(RefusalCode.ILLEGAL_STATE);
        a.expectOk(a.closeConsumer(1, 5, 0));
        a.expectOk(delete(a, temp));
    }

    private static int delete(Probe p, DestinationName d) {
        return p.request(FrameType.DELETE_TEMPORARY, 0, (r, f) -> new ClientFrames.DeleteTemporary(r, d).write(f));
    }

    @Test
    void temporaryDestinationsAreBounded() {
        bench.change("limits.temporary-destinations-per-connection=1");
        Probe a = client(null);
        a.temporary(DestinationKind.TEMPORARY_QUEUE);
        int second = a.request(
                FrameType.CREATE_TEMPORARY,
                0,
                (r, b) -> new ClientFrames.CreateTemporary(r, DestinationKind.TEMPORARY_QUEUE).write(b));
        assertThat(a.expectRefusal(second).code()).isEqualTo(RefusalCode.RESOURCE_ALLOCATION);
    }

    @Test
    void sessionsConsumersAndSubscriptionsAreBounded() {
        bench.change(
                "limits.sessions-per-connection=1",
                "limits.consumers-per-session=1",
                "limits.subscriptions-per-topic=1");
        Probe a = client("me");
        int second = a.request(
                FrameType.OPEN_SESSION, 2, (r, b) -> new ClientFrames.OpenSession(r, 1, 1, 1, false, 0).write(b));
        assertThat(a.expectRefusal(second).text()).contains("sessions-per-connection");
        a.expectOk(a.open(1, 5, T, DURABLE, null, "one"));
        assertThat(a.expectRefusal(a.open(1, 6, T, DURABLE, null, "two")).text())
                .contains("consumers-per-session");
        a.expectOk(a.closeConsumer(1, 5, 0));
        assertThat(a.expectRefusal(a.open(1, 6, T, DURABLE, null, "two")).text())
                .contains("subscriptions-per-topic");
    }
}
