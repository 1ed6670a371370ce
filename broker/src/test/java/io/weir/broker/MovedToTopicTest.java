package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.broker.admin.BrokerAdmin;
import io.weir.broker.queue.MessageQueue;
import io.weir.broker.report.BrokerMessages;
import io.weir.broker.report.RequestRefusal;
import io.weir.jms.frames.ClientFrames;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Messages that are moved to a topic: by an administrator, over their redelivery limit, expired. What no subscription takes stays. */
class MovedToTopicTest {
    private static final DestinationName Q = Bench.queue("q");
    private static final DestinationName T = Bench.topic("t");
    private static final int DURABLE = ClientFrames.OpenConsumer.DURABLE;
    private static final Duration TIME = Duration.ofDays(1);

    private StoredBench stored = new StoredBench(2);

    @AfterEach
    void close() {
        stored.close();
    }

    private void with(String... settings) {
        stored.close();
        stored = new StoredBench(2, settings);
    }

    private BrokerAdmin admin() {
        return stored.bench.admin();
    }

    private CompletableFuture<BrokerAdmin.Done> move() {
        CompletableFuture<BrokerAdmin.Done> done = admin().move("queue/q", "topic/t", null, Long.MAX_VALUE, TIME);
        stored.write();
        return done;
    }

    private void fill(String... bodies) {
        Probe p = stored.client(0);
        stored.send(p, Q, bodies);
        p.lose();
    }

    /** A durable subscription that nobody is at. */
    private void subscribe(String name, @Nullable String selector) {
        Probe p = subscriber(name, selector);
        p.lose();
    }

    private Probe subscriber(String name, @Nullable String selector) {
        Probe p = stored.client(0);
        identify(p);
        int open = p.open(1, 5, T, DURABLE | ClientFrames.OpenConsumer.ASYNC, selector, name);
        stored.write();
        p.expectOk(open);
        return p;
    }

    private static void identify(Probe p) {
        p.expectOk(p.request(
                FrameType.SET_CLIENT_ID, 0, (r, b) -> new ClientFrames.SetClientId(r, false, "client").write(b)));
    }

    private List<String> subscribed(String name, @Nullable String selector) {
        Probe p = subscriber(name, selector);
        stored.write();
        List<String> bodies = new ArrayList<>(p.bodies());
        p.lose();
        return bodies;
    }

    @Test
    void aMoveToATopicWithoutSubscriptionsIsRefusedAndMovesNothing() {
        fill("a", "b", "c");
        CompletableFuture<BrokerAdmin.Done> moved = move();
        assertThatThrownBy(moved::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOf(RequestRefusal.class)
                .hasMessageContaining("topic/t has no subscription");
        assertThat(stored.drain(Q)).containsExactly("a", "b", "c");
    }

    @Test
    void whatEachSelectorExcludesStaysAndIsTold() {
        subscribe("red", "colour = 'red'");
        fill("a", "b");
        BrokerAdmin.Done moved = move().join();
        assertThat(moved.count()).isZero();
        assertThat(moved.complete()).isFalse();
        assertThat(String.valueOf(moved.stopped())).contains("no durable subscription of topic/t", "ID:");
        assertThat(stored.drain(Q)).containsExactly("a", "b");
    }

    @Test
    void whatSomeSubscriptionTakesIsMovedAndTheRestStays() {
        subscribe("red", "colour = 'red'");
        Probe p = stored.client(0);
        stored.send(p, Q, new Probe.Draft("plain"));
        stored.send(p, Q, new Probe.Draft("red").property("colour", "red"));
        p.lose();
        BrokerAdmin.Done moved = move().join();
        assertThat(moved.count()).isEqualTo(1);
        assertThat(moved.complete()).isFalse();
        assertThat(subscribed("red", "colour = 'red'")).containsExactly("red");
        stored.restart();
        assertThat(stored.drain(Q)).containsExactly("plain");
    }

    @Test
    void aPersistentMessageIsNotMovedToWhereOnlyMemoryKeepsIt() {
        Probe listener = stored.client(0);
        listener.listen(1, 5, T);
        fill("a");
        assertThat(String.valueOf(move().join().stopped())).contains("no durable subscription of topic/t");
        assertThat(listener.bodies()).isEmpty();
        assertThat(stored.drain(Q)).containsExactly("a");
    }

    @Test
    void whatIsNotPersistentIsMovedToWhoeverListens() {
        Probe listener = stored.client(0);
        listener.listen(1, 5, T);
        Probe p = stored.client(0);
        p.expectOk(p.send(1, Q, new Probe.Draft("a")));
        assertThat(move().join()).isEqualTo(new BrokerAdmin.Done(1, true, null));
        assertThat(listener.bodies()).containsExactly("a");
    }

    @Test
    void aSubscriptionThatGoesWhileTheMoveRunsKeepsNoMoreFromGettingLost() {
        Probe p = stored.client(0);
        for (int i = 0; i < 600; i++) {
            stored.send(p, Q, "m" + i);
        }
        p.lose();
        for (int tasks = 0; tasks < 3; tasks++) {
            subscribe("all", null);
            MessageQueue q = stored.bench.q();
            long before = q.entries().current();
            CompletableFuture<BrokerAdmin.Done> move = admin().move("queue/q", "topic/t", null, Long.MAX_VALUE, TIME);
            int[] left = {tasks};
            stored.writeUntil(() -> left[0]-- == 0 || move.isDone());
            Probe other = stored.client(0);
            identify(other);
            int gone =
                    other.request(FrameType.UNSUBSCRIBE, 1, (r, b) -> new ClientFrames.Unsubscribe(r, "all").write(b));
            stored.write();
            other.expectOk(gone);
            other.lose();
            assertThat(before - q.entries().current())
                    .as("what left is what is said to be moved")
                    .isEqualTo(move.join().count());
            assertThat(q.entries().current()).as("what nobody would have got").isPositive();
            assertThat(String.valueOf(move.join().stopped())).contains("no durable subscription of topic/t");
        }
    }

    @Test
    void whenTheSubscriptionThatIsMovedFromGoesNothingIsSaidToBeLeft() {
        subscribe("all", null);
        Probe p = stored.client(0);
        for (int i = 0; i < 600; i++) {
            stored.send(p, T, "m" + i);
        }
        p.lose();
        CompletableFuture<BrokerAdmin.Done> move =
                admin().move("topic/t#client.all", "queue/q", null, Long.MAX_VALUE, TIME);
        int[] left = {2};
        stored.writeUntil(() -> left[0]-- == 0);
        Probe other = stored.client(0);
        identify(other);
        int gone = other.request(FrameType.UNSUBSCRIBE, 1, (r, b) -> new ClientFrames.Unsubscribe(r, "all").write(b));
        stored.write();
        other.expectOk(gone);
        assertThat(move.join().count())
                .isPositive()
                .isLessThan(600)
                .isEqualTo(stored.bench.q().entries().current());
        assertThat(String.valueOf(move.join().stopped()))
                .contains("subscription topic/t#client.all was deleted,", "no messages remain");
    }

    @Test
    void anErrorTopicThatNobodySubscribedToGetsTheMessageWhenSomebodyDoes() {
        with("queues.q.delivery-failure.redelivery-limit=0", "queues.q.delivery-failure.error-destination=topic/t");
        fill("a");
        Probe p = stored.client(0);
        p.listen(1, 5, Q);
        stored.write();
        assertThat(p.bodies()).containsExactly("a");
        p.undo(FrameType.RECOVER, 1, 1);
        stored.step(Duration.ofSeconds(5));
        assertThat(stored.bench.q().entries().current()).as("it stays").isEqualTo(1);
        assertThat(p.bodies()).as("and is not delivered").isEmpty();
        assertThat(stored.bench.log.count(BrokerMessages.NO_TAKER)).isPositive();
        subscribe("all", null);
        stored.step(Duration.ofSeconds(31));
        assertThat(stored.bench.q().entries().current()).isZero();
        stored.restart();
        assertThat(subscribed("all", null)).containsExactly("a");
    }

    @Test
    void expiredMessagesThatATopicDoesNotTakeStayAndHoldUpNoOthers() {
        with(
                "queues.q.delivery-failure.expiration-policy=redirect",
                "queues.q.delivery-failure.error-destination=topic/t");
        subscribe("red", "colour = 'red'");
        Probe p = stored.client(0);
        long over = stored.bench.clock().millis() + 1000;
        stored.send(p, Q, new Probe.Draft("plain").with(h -> h.expiration = over));
        stored.send(p, Q, new Probe.Draft("red").property("colour", "red").with(h -> h.expiration = over));
        stored.step(Duration.ofSeconds(2));
        scan();
        assertThat(stored.bench.q().entries().current()).isEqualTo(1);
        assertThat(subscribed("red", "colour = 'red'")).containsExactly("red");
        subscribe("all", null);
        stored.step(Duration.ofSeconds(31));
        scan();
        assertThat(stored.bench.q().entries().current()).isZero();
        assertThat(subscribed("all", null)).containsExactly("plain");
    }

    private void scan() {
        MessageQueue q = stored.bench.q();
        q.loop.run(q.expiry()::scan);
        stored.write();
    }
}
