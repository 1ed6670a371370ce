package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.broker.admin.SubscriptionView;
import io.weir.broker.destination.Destination;
import io.weir.broker.destination.SubscriptionKey;
import io.weir.broker.report.BrokerMessages;
import io.weir.broker.report.BrokerStats;
import io.weir.broker.store.StoredSubscription;
import io.weir.jms.frames.BrokerFrames;
import io.weir.jms.frames.ClientFrames;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.RefusalCode;
import io.weir.jms.frames.SendFrame;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Durable subscriptions, their store, and what is left of them after a death. */
class DurableSubscriptionsTest {
    private static final DestinationName T = Bench.topic("t");
    private static final int DURABLE = ClientFrames.OpenConsumer.DURABLE;
    private static final int SHARED = ClientFrames.OpenConsumer.SHARED;
    private static final int ASYNC = ClientFrames.OpenConsumer.ASYNC;

    private final StoredBench stored = new StoredBench();

    @AfterEach
    void close() {
        stored.close();
    }

    private Probe client(@Nullable String id) {
        Probe p = stored.client(0);
        if (id != null) {
            p.expectOk(p.request(
                    FrameType.SET_CLIENT_ID, 0, (r, b) -> new ClientFrames.SetClientId(r, true, id).write(b)));
        }
        return p;
    }

    private int open(Probe p, int consumer, String name, @Nullable String selector, int flags) {
        int request = p.open(1, consumer, T, flags, selector, name);
        stored.write();
        return request;
    }

    private void subscribe(Probe p, int consumer, String name, @Nullable String selector) {
        p.expectOk(open(p, consumer, name, selector, DURABLE | ASYNC));
    }

    private int unsubscribe(Probe p, String name) {
        return p.request(FrameType.UNSUBSCRIBE, 1, (r, b) -> new ClientFrames.Unsubscribe(r, name).write(b));
    }

    /** What a subscription holds, read and put back. */
    private List<String> held(String client, String name, @Nullable String selector) {
        Probe p = client(client);
        subscribe(p, 50, name, selector);
        List<String> bodies = p.bodies();
        p.lose();
        stored.write();
        return bodies;
    }

    private static Probe.Draft red(String body) {
        return new Probe.Draft(body).property("colour", "red");
    }

    @Test
    void clientsWhoseIdentifierAndNameReadTheSameTogetherHaveSubscriptionsOfTheirOwn() {
        Probe shop = client("shop");
        subscribe(shop, 5, "eu.orders", null);
        shop.lose();
        Probe eu = client("shop.eu");
        subscribe(eu, 5, "orders", "colour = 'red'");
        eu.lose();
        Probe p = client(null);
        stored.send(p, T, "plain");
        stored.send(p, T, red("red"));
        assertThat(held("shop", "eu.orders", null)).containsExactly("plain", "red");
        assertThat(held("shop.eu", "orders", "colour = 'red'")).containsExactly("red");
        Probe again = client("shop.eu");
        int request = unsubscribe(again, "orders");
        stored.write();
        again.expectOk(request);
        stored.restart();
        assertThat(held("shop", "eu.orders", null)).containsExactly("plain", "red");
        assertThat(held("shop.eu", "orders", "colour = 'red'"))
                .as("it is a new one")
                .isEmpty();
    }

    @Test
    void recoveredMessagesAreNotCountedAsReceived() {
        Probe p = client("c");
        subscribe(p, 5, "s", null);
        stored.send(p, T, "one", "two", "three");
        stored.send(p, Bench.queue("q"), "four", "five");
        p.lose();
        stored.restart();
        assertThat(counted(T)).as("received, bytes, recovered").containsExactly(0L, 0L, 3L);
        assertThat(counted(Bench.queue("q"))).containsExactly(0L, 0L, 2L);
        assertThat(held().received()).isZero();
        assertThat(held().recovered()).isEqualTo(3);
        assertThat(held().messages()).isEqualTo(3);
        assertThat(stored.bench.stats.value(BrokerStats.BYTES_RECOVERED, T.toString()))
                .isPositive();

        stored.send(client(null), T, "six");
        assertThat(counted(T).getFirst()).isEqualTo(1);
        assertThat(held().received()).isEqualTo(1);
        assertThat(held().high()).isEqualTo(4);
        assertThat(stored.bench.stats.value(BrokerStats.MESSAGES_HIGH, T.toString()))
                .isEqualTo(4);
    }

    /** A send, and a commit of a persistent message to a queue and a topic; whether they were done. */
    private void sent(boolean done) {
        Probe p = client(null);
        p.session(2, Probe.TRANSACTED);
        DestinationName q = Bench.queue("q");
        List<Integer> requests = new ArrayList<>(List.of(
                p.send(1, q, new Probe.Draft("one").persistent()), p.send(1, T, new Probe.Draft("two").persistent())));
        for (DestinationName d : List.of(q, T)) {
            int request = p.nextRequest();
            p.sendAs(request, 2, d, new Probe.Draft("three").persistent(), 0, SendFrame.TRANSACTED);
            stored.write();
            p.expectOk(request);
        }
        requests.add(p.commit(2));
        stored.write();
        if (done) {
            requests.forEach(p::expectOk);
        } else {
            requests.forEach(p::expectRefusal);
        }
        p.lose();
    }

    @Test
    void whatTheDiskRefusesIsNotCountedAsReceived() {
        Probe p = client("c");
        subscribe(p, 5, "s", null);
        p.lose();
        stored.write();
        stored.disk.failing = true;
        sent(false);
        assertThat(counted(T)).as("received, bytes, recovered").containsExactly(0L, 0L, 0L);
        assertThat(counted(Bench.queue("q"))).containsExactly(0L, 0L, 0L);
        assertThat(held().received()).isZero();
        assertThat(held().messages()).isZero();
        stored.disk.failing = false;
        stored.step(Duration.ofSeconds(5));
        sent(true);
        assertThat(counted(T).getFirst()).isEqualTo(2);
        assertThat(counted(Bench.queue("q")).getFirst()).isEqualTo(2);
        assertThat(held().received()).isEqualTo(2);
    }

    private List<Long> counted(DestinationName of) {
        String name = of.toString();
        return List.of(
                stored.bench.stats.value(BrokerStats.MESSAGES_RECEIVED, name),
                stored.bench.stats.value(BrokerStats.BYTES_RECEIVED, name),
                stored.bench.stats.value(BrokerStats.MESSAGES_RECOVERED, name));
    }

    private SubscriptionView held() {
        CompletableFuture<List<SubscriptionView>> all = stored.bench.admin().subscriptions();
        stored.bench.loops.settle();
        return all.join().getFirst();
    }

    @Test
    void halfASurrogatePairIsNoQuestionMark() {
        Probe half = client("\ud800");
        subscribe(half, 5, "x", null);
        Probe mark = client("?");
        subscribe(mark, 5, "x", "colour = 'red'");
        half.lose();
        mark.lose();
        Probe p = client(null);
        stored.send(p, T, "plain");
        stored.restart();
        assertThat(held("\ud800", "x", null)).containsExactly("plain");
        assertThat(held("?", "x", "colour = 'red'")).isEmpty();
    }

    @Test
    void anIdentifierThatBeginsLikeTheOtherNameSpaceIsAnIdentifier() {
        Probe shared = client("a");
        shared.expectOk(open(shared, 5, "s", null, SHARED | ASYNC));
        Probe durable = client("non-durable a");
        subscribe(durable, 5, "s", null);
        stored.send(durable, T, "m");
        assertThat(shared.bodies()).containsExactly("m");
        assertThat(durable.bodies()).containsExactly("m");
    }

    @Test
    void operatorsSeeKeysOfTheirOwnAndMayWriteThemWithoutEscapes() {
        assertThat(new SubscriptionKey("shop.eu", "orders", true)).hasToString("shop\\.eu.orders");
        assertThat(new SubscriptionKey("shop", "eu.orders", true)).hasToString("shop.eu.orders");
        assertThat(new SubscriptionKey("non-durable a", "s", true)).hasToString("non-durable\\ a.s");
        assertThat(new SubscriptionKey("a", "s", false)).hasToString("non-durable a.s");
        Probe eu = client("shop.eu");
        subscribe(eu, 5, "orders", null);
        var browsed = stored.bench.admin().browse("topic/t#shop.eu.orders", null, 0, 1);
        stored.write();
        assertThat(browsed.join()).isEmpty();
        Probe shop = client("shop");
        subscribe(shop, 5, "eu.orders", null);
        var exact = stored.bench.admin().browse("topic/t#shop.eu.orders", null, 0, 1);
        stored.write();
        assertThat(exact).as("the one whose key this is").isCompleted();
    }

    @Test
    void nothingOfAnUnsubscribedOneComesBackHoweverSoonTheServerDies() {
        Probe a = client("a");
        subscribe(a, 5, "s", null);
        Probe other = client("b");
        subscribe(other, 5, "s", null);
        a.lose();
        other.lose();
        Probe p = client(null);
        for (int i = 0; i < 300; i++) {
            stored.send(p, T, "m" + i);
        }
        Probe again = client("a");
        int request = unsubscribe(again, "s");
        stored.writeUntil(() -> again.ok(request));
        stored.restart();
        assertThat(held("a", "s", null)).isEmpty();
        assertThat(held("b", "s", null)).hasSize(300);
    }

    @Test
    void bulkWorkOnASubscriptionKeepsNobodyFromUnsubscribing() {
        Probe a = client("a");
        subscribe(a, 5, "s", null);
        a.lose();
        Probe p = client(null);
        for (int i = 0; i < 300; i++) {
            stored.send(p, T, "m" + i);
        }
        Probe again = client("a");
        var deleted = stored.bench.admin().delete(T + "#a.s", null, Long.MAX_VALUE, Duration.ofMinutes(1));
        stored.bench.loops.settle();
        int request = unsubscribe(again, "s");
        stored.write();
        again.expectOk(request);
        assertThat(deleted.join().complete()).isFalse();
        assertThat(held("a", "s", null)).isEmpty();
    }

    @Test
    void whatWasMarkedForAConsumerThatClosesKeepsNobodyFromUnsubscribing() {
        Probe a = client("a");
        subscribe(a, 5, "s", null);
        a.lose();
        stored.send(client(null), T, "m");
        Probe again = client("a");
        again.expectOk(again.open(1, 5, T, DURABLE | ASYNC, null, "s"));
        again.expectOk(again.closeConsumer(1, 5, 0));
        int request = unsubscribe(again, "s");
        stored.write();
        again.expectOk(request);
        assertThat(again.bodies()).isEmpty();
        assertThat(held("a", "s", null)).isEmpty();
    }

    @Test
    void afterAChangeOfTheSelectorNothingOfTheOldOneComesHoweverSoonTheServerDies() {
        Probe a = client("a");
        subscribe(a, 5, "s", null);
        a.lose();
        Probe p = client(null);
        stored.send(p, T, "plain");
        stored.send(p, T, red("red"));
        Probe changed = client("a");
        int request = changed.open(1, 5, T, DURABLE, "colour = 'red'", "s");
        stored.writeUntil(() -> changed.ok(request));
        stored.restart();
        assertThat(held("a", "s", "colour = 'red'"))
                .as("a change is a deletion and a new one (8.3.3)")
                .isEmpty();
        p = client(null);
        stored.send(p, T, red("later"));
        assertThat(held("a", "s", "colour = 'red'")).containsExactly("later");
    }

    @Test
    void aSubscriptionThatTheStoreCannotTakeIsRefusedAndIsNotThere() {
        stored.disk.failing = true;
        Probe a = client("a");
        BrokerFrames.Refused refused = a.expectRefusal(open(a, 5, "s", null, DURABLE | ASYNC));
        assertThat(refused.code()).isEqualTo(RefusalCode.STORE);
        assertThat(refused.text()).contains("subscription a.s").contains("Input/output error");
        stored.disk.failing = false;
        stored.step(java.time.Duration.ofSeconds(2));
        Probe p = client(null);
        stored.send(p, T, "m");
        assertThat(a.bodies()).isEmpty();
        int gone = unsubscribe(a, "s");
        stored.write();
        assertThat(a.expectRefusal(gone).code()).isEqualTo(RefusalCode.INVALID_DESTINATION);
        subscribe(a, 5, "s", null);
        stored.send(p, T, "kept");
        assertThat(a.bodies()).containsExactly("kept");
        stored.restart();
        assertThat(held("a", "s", null)).containsExactly("kept");
    }

    @Test
    void whoJoinsWhileTheStoreIsAskedHearsTheSame() {
        Probe one = client(null);
        Probe two = client(null);
        int first = one.open(1, 5, T, DURABLE | SHARED | ASYNC, null, "s");
        int second = two.open(1, 5, T, DURABLE | SHARED | ASYNC, null, "s");
        assertThat(one.ok(first) || two.ok(second))
                .as("not before it is stored")
                .isFalse();
        stored.disk.failing = true;
        stored.write();
        assertThat(one.expectRefusal(first).code()).isEqualTo(RefusalCode.STORE);
        assertThat(two.expectRefusal(second).code()).isEqualTo(RefusalCode.STORE);
        assertThat(stored.bench.engine.subscriptions().all()).isEmpty();
        stored.disk.failing = false;
        stored.step(java.time.Duration.ofSeconds(2));
        first = one.open(1, 5, T, DURABLE | SHARED | ASYNC, null, "s");
        second = two.open(1, 5, T, DURABLE | SHARED | ASYNC, null, "s");
        stored.write();
        one.expectOk(first);
        two.expectOk(second);
        assertThat(stored.bench.engine.subscriptions().all())
                .singleElement()
                .satisfies(n -> assertThat(n.consumers()).isEqualTo(2));
    }

    @Test
    void aChangeThatTheStoreCannotTakeLeavesTheOldOneWithItsMessages() {
        Probe a = client("a");
        subscribe(a, 5, "s", null);
        a.lose();
        Probe p = client(null);
        stored.send(p, T, "m");
        stored.disk.failing = true;
        Probe changed = client("a");
        assertThat(changed.expectRefusal(open(changed, 5, "s", "colour = 'red'", DURABLE))
                        .code())
                .isEqualTo(RefusalCode.STORE);
        changed.lose();
        stored.disk.failing = false;
        stored.step(java.time.Duration.ofSeconds(2));
        assertThat(held("a", "s", null)).containsExactly("m");
        stored.send(p, T, "more");
        stored.restart();
        assertThat(held("a", "s", null)).containsExactly("m", "more");
    }

    @Test
    void anUnsubscribeThatTheStoreCannotTakeIsRefusedAndChangesNothing() {
        Probe a = client("a");
        subscribe(a, 5, "s", null);
        a.lose();
        Probe p = client(null);
        stored.send(p, T, "m");
        stored.disk.failing = true;
        Probe again = client("a");
        int request = unsubscribe(again, "s");
        stored.write();
        assertThat(again.expectRefusal(request).code()).isEqualTo(RefusalCode.STORE);
        stored.disk.failing = false;
        stored.step(java.time.Duration.ofSeconds(2));
        again.lose();
        assertThat(held("a", "s", null)).containsExactly("m");
        stored.restart();
        assertThat(held("a", "s", null)).containsExactly("m");
    }

    /** As an earlier version stored it, whose parser took more. */
    @Test
    void aStoredSelectorThatIsRefusedByNowGoesOnWithItsMessages() {
        String selector = "TRUE = 0 OR colour = 'red'";
        stored.bench
                .engine
                .store()
                .subscribe(
                        stored.bench.engine.loops().getFirst(),
                        new StoredSubscription("", T, "s", "a", false, selector, false, null),
                        0,
                        fault -> assertThat(fault).isNull());
        stored.write();
        stored.restart();
        assertThat(stored.bench.log.count(BrokerMessages.STORED_SELECTOR)).isEqualTo(1);
        Probe p = client(null);
        stored.send(p, T, "plain");
        stored.send(p, T, red("first"));
        stored.restart();
        stored.send(client(null), T, red("second"));
        assertThat(held("a", "s", selector)).containsExactly("first", "second");
        // nobody else may begin with it, and a new selector of its own begins anew
        Probe other = client("b");
        assertThat(other.expectRefusal(open(other, 5, "s", selector, DURABLE)).code())
                .isEqualTo(RefusalCode.INVALID_SELECTOR);
        Probe a = client("a");
        assertThat(a.expectRefusal(open(a, 5, "s", selector + " OR FALSE", DURABLE))
                        .code())
                .isEqualTo(RefusalCode.INVALID_SELECTOR);
        assertThat(held("a", "s", selector)).containsExactly("first", "second");
    }

    @Test
    void whoSubscribesWhileItIsDeletedGetsANewOne() {
        Probe a = client("a");
        subscribe(a, 5, "s", null);
        a.lose();
        Probe p = client(null);
        stored.send(p, T, "old");
        Probe again = client("a");
        int gone = unsubscribe(again, "s");
        int back = again.open(1, 6, T, DURABLE | ASYNC, null, "s");
        stored.write();
        again.expectOk(gone);
        again.expectOk(back);
        stored.send(p, T, "new");
        assertThat(again.bodies()).containsExactly("new");
        stored.restart();
        assertThat(held("a", "s", null)).containsExactly("new");
    }

    @Test
    void aSubscriptionOfATopicThatIsDeletedWhileItIsStoredIsNone() {
        Probe a = client("a");
        int request = a.open(1, 5, T, DURABLE | ASYNC, null, "s");
        Destination t = stored.bench.destination("topic/t");
        ((TestLoop) t.loop).on(() -> stored.bench.engine.destinations().delete(t));
        stored.write();
        assertThat(a.expectRefusal(request).code()).isEqualTo(RefusalCode.INVALID_DESTINATION);
        stored.restart();
        assertThat(stored.bench.engine.subscriptions().all()).isEmpty();
    }
}
