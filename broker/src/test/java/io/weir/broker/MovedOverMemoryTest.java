package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.broker.admin.BrokerAdmin;
import io.weir.broker.queue.MessageQueue;
import io.weir.broker.report.BrokerMessages;
import io.weir.broker.report.BrokerStats;
import io.weir.jms.frames.ClientFrames;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.RefusalCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Moves that make more of messages than there was, where memory has no room for that: the bound of senders is theirs, too. */
class MovedOverMemoryTest {
    private static final DestinationName Q = Bench.queue("q");
    private static final DestinationName R = Bench.queue("r");
    private static final DestinationName T = Bench.topic("t");
    private static final int MOST = 40;
    private static final int SUBSCRIPTIONS = 30;
    /** A reference beside the first counts a third. */
    private static final int FITTING = (MOST - 10) * 3 / (SUBSCRIPTIONS - 1);

    private static final String KNOB = "messaging.limits.messages-in-memory";

    private StoredBench stored = bench();

    private static StoredBench bench(String... settings) {
        List<String> all = new ArrayList<>(List.of("limits.messages-in-memory=" + MOST, "queues.r.jndi-name="));
        all.addAll(List.of(settings));
        return new StoredBench(2, all.toArray(String[]::new));
    }

    @AfterEach
    void close() {
        stored.close();
    }

    private void with(String... settings) {
        stored.close();
        stored = bench(settings);
    }

    private BrokerAdmin.Done move(String from, String to) {
        CompletableFuture<BrokerAdmin.Done> done =
                stored.bench.admin().move(from, to, null, Long.MAX_VALUE, Duration.ofDays(1));
        stored.write();
        return done.join();
    }

    private Probe subscriber(int n, @Nullable String selector) {
        Probe p = stored.client(0);
        p.expectOk(p.request(
                FrameType.SET_CLIENT_ID, 0, (r, b) -> new ClientFrames.SetClientId(r, false, "client").write(b)));
        int open =
                p.open(1, 5, T, ClientFrames.OpenConsumer.DURABLE | ClientFrames.OpenConsumer.ASYNC, selector, "s" + n);
        stored.write();
        p.expectOk(open);
        return p;
    }

    private void subscribe(int from, int to, @Nullable String selector) {
        for (int i = from; i < to; i++) {
            subscriber(i, selector).lose();
        }
    }

    private void unsubscribe(int from, int to) {
        Probe p = stored.client(0);
        p.expectOk(p.request(
                FrameType.SET_CLIENT_ID, 0, (r, b) -> new ClientFrames.SetClientId(r, false, "client").write(b)));
        for (int i = from; i < to; i++) {
            String name = "s" + i;
            int gone = p.request(FrameType.UNSUBSCRIBE, 1, (r, b) -> new ClientFrames.Unsubscribe(r, name).write(b));
            stored.write();
            p.expectOk(gone);
        }
        p.lose();
    }

    private void fill(int n, long expiration) {
        Probe p = stored.client(0);
        for (int i = 0; i < n; i++) {
            stored.send(p, Q, new Probe.Draft("m" + i).with(h -> h.expiration = expiration));
        }
        p.lose();
    }

    private List<String> subscribed(int n, @Nullable String selector) {
        Probe p = subscriber(n, selector);
        stored.write();
        List<String> bodies = new ArrayList<>(p.bodies());
        p.lose();
        return bodies;
    }

    private long entries() {
        return stored.bench.q().entries().current();
    }

    private void withinTheBound() {
        long messages = stored.bench.stats.value(BrokerStats.MEMORY_MESSAGES);
        long references = stored.bench.stats.value(BrokerStats.MEMORY_REFERENCES);
        assertThat(messages * 3 + references)
                .as("%d and %d references", messages, references)
                .isLessThanOrEqualTo(MOST * 3);
    }

    @Test
    void aMoveStopsWhereMemoryHasNoRoomForReferencesAndSaysSo() {
        subscribe(0, SUBSCRIPTIONS, null);
        fill(10, 0);
        BrokerAdmin.Done done = move("queue/q", "topic/t");
        withinTheBound();
        assertThat(done.count()).isEqualTo(FITTING);
        assertThat(done.complete()).isFalse();
        assertThat(String.valueOf(done.stopped())).contains("topic/t", "further references", KNOB);
        assertThat(entries()).isEqualTo(10 - FITTING);
        assertThat(stored.bench.q().available().count()).as("none is withheld").isEqualTo(10 - FITTING);
        stored.restart();
        withinTheBound();
        assertThat(subscribed(7, null)).containsExactly("m0", "m1", "m2");
        assertThat(move("queue/q", "topic/t").count()).as("it is full still").isZero();
        unsubscribe(1, SUBSCRIPTIONS);
        assertThat(move("queue/q", "topic/t")).isEqualTo(new BrokerAdmin.Done(10 - FITTING, true, null));
        assertThat(subscribed(0, null)).hasSize(10);
    }

    @Test
    void whatMakesNoMoreOfMessagesIsMovedHoweverFullMemoryIs() {
        fill(MOST, 0);
        Probe p = stored.client(0);
        assertThat(p.expectRefusal(p.send(1, Q, new Probe.Draft("over"))).code())
                .isEqualTo(RefusalCode.RESOURCE_ALLOCATION);
        assertThat(move("queue/q", "queue/r")).isEqualTo(new BrokerAdmin.Done(MOST, true, null));
        subscribe(0, 1, null);
        assertThat(move("queue/r", "topic/t")).isEqualTo(new BrokerAdmin.Done(MOST, true, null));
        assertThat(move("topic/t#client.s0", "queue/q")).isEqualTo(new BrokerAdmin.Done(MOST, true, null));
    }

    @Test
    void subscriptionsThatDoNotWantAMessageTakeNoRoom() {
        subscribe(0, 1, null);
        subscribe(1, SUBSCRIPTIONS, "colour = 'red'");
        fill(MOST, 0);
        assertThat(move("queue/q", "topic/t")).isEqualTo(new BrokerAdmin.Done(MOST, true, null));
    }

    @Test
    void copiesOfWhatSubscriptionsShareTakeRoom() {
        subscribe(0, SUBSCRIPTIONS, null);
        fill(3, 0);
        assertThat(move("queue/q", "topic/t").count()).isEqualTo(3);
        long moved = 0;
        BrokerAdmin.Done done = new BrokerAdmin.Done(0, true, null);
        for (int i = 0; i < SUBSCRIPTIONS && done.complete(); i++) {
            done = move("topic/t#client.s" + i, "queue/r");
            moved += done.count();
            withinTheBound();
        }
        assertThat(String.valueOf(done.stopped())).contains("queue/r", KNOB);
        assertThat(stored.drain(R)).hasSize((int) moved);
        stored.restart();
        assertThat(stored.drain(R)).hasSize((int) moved);
    }

    @Test
    void theSameForTheBytesOfThoseCopies() {
        with("limits.bytes-in-memory=4000");
        subscribe(0, SUBSCRIPTIONS, null);
        Probe p = stored.client(0);
        stored.send(p, T, "x".repeat(1000));
        BrokerAdmin.Done done = new BrokerAdmin.Done(0, true, null);
        for (int i = 0; i < SUBSCRIPTIONS && done.complete(); i++) {
            done = move("topic/t#client.s" + i, "queue/r");
        }
        assertThat(String.valueOf(done.stopped())).contains("queue/r", "messaging.limits.bytes-in-memory");
        assertThat(stored.bench.stats.value(BrokerStats.MEMORY_BYTES)).isLessThanOrEqualTo(4000);
    }

    @Test
    void expiredMessagesStayUntilThereIsRoomAndAreNotDelivered() {
        with(
                "queues.q.delivery-failure.expiration-policy=redirect",
                "queues.q.delivery-failure.error-destination=topic/t");
        subscribe(0, SUBSCRIPTIONS, null);
        fill(10, stored.bench.clock().millis() + 1000);
        stored.step(Duration.ofSeconds(2));
        scan();
        withinTheBound();
        assertThat(entries()).isEqualTo(10 - FITTING);
        assertThat(stored.bench.stats.value(BrokerStats.EXPIRED, "queue/q")).isEqualTo(FITTING);
        assertThat(stored.bench.stats.value(BrokerStats.MOVE_WITHOUT_ROOM)).isPositive();
        assertThat(stored.bench.log.count(BrokerMessages.NO_ROOM)).isPositive();
        stored.step(Duration.ofSeconds(6));
        assertThat(stored.drain(Q)).as("they are over").isEmpty();
        withinTheBound();
        unsubscribe(1, SUBSCRIPTIONS);
        stored.step(Duration.ofSeconds(12));
        scan();
        assertThat(entries()).isZero();
        stored.restart();
        assertThat(subscribed(0, null)).hasSize(10);
    }

    @Test
    void anExpiredMessageThatNeverFitsHoldsUpNoOthers() {
        with(
                "queues.q.delivery-failure.expiration-policy=redirect",
                "queues.q.delivery-failure.error-destination=topic/t");
        subscribe(0, 1, "colour IS NULL");
        subscribe(1, 5 * SUBSCRIPTIONS, "colour = 'red'");
        long over = stored.bench.clock().millis() + 1000;
        Probe p = stored.client(0);
        stored.send(p, Q, new Probe.Draft("red").property("colour", "red").with(h -> h.expiration = over));
        stored.send(p, Q, new Probe.Draft("plain").with(h -> h.expiration = over));
        stored.step(Duration.ofSeconds(2));
        scan();
        assertThat(subscribed(0, "colour IS NULL")).containsExactly("plain");
        assertThat(entries()).isEqualTo(1);
    }

    @Test
    void aMessageOverItsLimitStaysUntilThereIsRoom() {
        with("queues.q.delivery-failure.redelivery-limit=0", "queues.q.delivery-failure.error-destination=topic/t");
        subscribe(0, SUBSCRIPTIONS, null);
        fill(10, 0);
        Probe p = stored.client(0);
        p.listen(1, 5, Q);
        stored.write();
        assertThat(p.bodies()).hasSize(10);
        p.undo(FrameType.RECOVER, 1, 10);
        stored.step(Duration.ofSeconds(12));
        withinTheBound();
        assertThat(entries()).isEqualTo(10 - FITTING);
        assertThat(p.bodies()).as("it is not delivered again").isEmpty();
        assertThat(stored.bench.stats.value(BrokerStats.MOVE_WITHOUT_ROOM)).isPositive();
        unsubscribe(1, SUBSCRIPTIONS);
        stored.step(Duration.ofSeconds(12));
        assertThat(entries()).isZero();
        p.lose();
        stored.restart();
        assertThat(subscribed(0, null)).hasSize(10);
    }

    private void scan() {
        MessageQueue q = stored.bench.q();
        q.loop.run(q.expiry()::scan);
        stored.write();
    }
}
