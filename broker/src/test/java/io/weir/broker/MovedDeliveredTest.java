package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.broker.admin.BrokerAdmin;
import io.weir.broker.destination.QueueDestination;
import io.weir.broker.queue.QueueEntry;
import io.weir.jms.frames.ClientFrames;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What a moved message keeps: that it may have been delivered, wherever it goes and whenever the server dies, without counting where
 * it comes; and, moved by an administrator, its expiration.
 */
class MovedDeliveredTest {
    private static final DestinationName Q = Bench.queue("q");
    private static final DestinationName ERRORS = Bench.queue("errors");
    private static final DestinationName T = Bench.topic("t");
    private static final int DURABLE = ClientFrames.OpenConsumer.DURABLE | ClientFrames.OpenConsumer.ASYNC;

    private StoredBench stored = new StoredBench(2, "queues.errors.jndi-name=");

    @AfterEach
    void close() {
        stored.close();
    }

    private void with(String... settings) {
        stored.close();
        String[] all = new String[settings.length + 1];
        System.arraycopy(settings, 0, all, 0, settings.length);
        all[settings.length] = "queues.errors.jndi-name=";
        stored = new StoredBench(2, all);
    }

    private void move(String from, String to, int moved) {
        CompletableFuture<BrokerAdmin.Done> done =
                stored.bench.admin().move(from, to, null, Long.MAX_VALUE, Duration.ofDays(1));
        stored.write();
        assertThat(done.join()).isEqualTo(new BrokerAdmin.Done(moved, true, null));
    }

    private void send(String body) {
        Probe p = stored.client(0);
        stored.send(p, Q, body);
        p.lose();
    }

    /** Somebody gets all that there is and is lost with it. */
    private void deliver(DestinationName queue, String... bodies) {
        Probe p = stored.client(0);
        p.listen(1, 5, queue);
        stored.write();
        assertThat(p.bodies()).containsExactly(bodies);
        p.lose();
    }

    private List<Probe.Delivery> taken(DestinationName queue) {
        Probe p = stored.client(0);
        p.listen(1, 5, queue);
        stored.write();
        List<Probe.Delivery> all = p.deliveries();
        p.ack(1, 1, all.size());
        stored.write();
        p.lose();
        return all;
    }

    private void subscribe(@Nullable String selector) {
        subscriber(selector).lose();
    }

    private Probe subscriber(@Nullable String selector) {
        Probe p = stored.client(0);
        p.expectOk(p.request(
                FrameType.SET_CLIENT_ID, 0, (r, b) -> new ClientFrames.SetClientId(r, false, "client").write(b)));
        int open = p.open(1, 5, T, DURABLE, selector, "all");
        stored.write();
        p.expectOk(open);
        return p;
    }

    @Test
    void whatMayHaveBeenDeliveredIsFlaggedWhereItWasMovedToAndNothingElse() {
        send("a");
        deliver(Q, "a");
        send("b");
        move("queue/q", "queue/errors", 2);
        assertThat(taken(ERRORS))
                .extracting(d -> d.body() + " " + d.redelivered() + " " + d.count())
                .containsExactly("a true 2", "b false 1");
    }

    @Test
    void whatIsNotPersistentIsFlagged() {
        Probe sender = stored.client(0);
        sender.expectOk(sender.send(1, Q, new Probe.Draft("a")));
        deliver(Q, "a");
        sender.expectOk(sender.send(1, Q, new Probe.Draft("b")));
        move("queue/q", "queue/errors", 2);
        assertThat(stored.drain(ERRORS)).containsExactly("a!", "b");
    }

    @Test
    void theFlagOutlivesDeathsBeforeAndAfterTheMove() {
        send("a");
        deliver(Q, "a");
        stored.restart();
        send("b");
        move("queue/q", "queue/errors", 2);
        stored.restart();
        assertThat(stored.drain(ERRORS)).containsExactly("a!", "b");
    }

    @Test
    void theFlagGoesThereAndBackOverDeaths() {
        send("a");
        deliver(Q, "a");
        send("b");
        move("queue/q", "queue/errors", 2);
        stored.restart();
        move("queue/errors", "queue/q", 2);
        stored.restart();
        assertThat(stored.drain(Q)).containsExactly("a!", "b");
    }

    @Test
    void whatNoApplicationSawIsNotFlagged() {
        send("a");
        Probe p = stored.client(0);
        p.listen(1, 5, Q);
        stored.write();
        assertThat(p.bodies()).containsExactly("a");
        p.expectOk(p.closeConsumer(1, 5, 0));
        move("queue/q", "queue/errors", 1);
        stored.restart();
        assertThat(stored.drain(ERRORS)).containsExactly("a");
    }

    @Test
    void theFlagGoesToASubscriptionAndFromThereToAQueue() {
        subscribe(null);
        send("a");
        deliver(Q, "a");
        send("b");
        move("queue/q", "topic/t", 2);
        stored.restart();
        move("topic/t#client.all", "queue/q", 2);
        stored.restart();
        assertThat(stored.drain(Q)).containsExactly("a!", "b");
    }

    @Test
    void aSubscriptionsSelectorSeesTheDeliveryThatComesNext() {
        subscribe("JMSXDeliveryCount > 1");
        send("a");
        deliver(Q, "a");
        move("queue/q", "topic/t", 1);
        Probe p = subscriber("JMSXDeliveryCount > 1");
        stored.write();
        assertThat(p.bodies()).containsExactly("a");
    }

    @Test
    void aDeadLetterIsFlaggedAndHasFreshAttemptsWhenItIsMovedBack() {
        with(
                "queues.q.delivery-failure.redelivery-limit=1",
                "queues.q.delivery-failure.error-destination=queue/errors");
        send("a");
        for (int round = 0; round < 2; round++) {
            Probe p = stored.client(0);
            p.listen(1, 5, Q);
            stored.write();
            for (int attempt = 1; attempt <= 2; attempt++) {
                assertThat(p.bodies())
                        .as("attempt %d of round %d", attempt, round)
                        .containsExactly("a");
                p.undo(FrameType.RECOVER, 1, attempt);
                stored.write();
            }
            assertThat(p.bodies()).as("it is over its limit").isEmpty();
            p.lose();
            stored.restart();
            assertThat(stored.drain(ERRORS)).containsExactly("a!");
            move("queue/errors", "queue/q", 1);
        }
        stored.restart();
        assertThat(stored.drain(Q)).containsExactly("a!");
    }

    @Test
    void whatExpiresAfterItWasDeliveredIsFlaggedAtTheErrorDestinationAndDoesNotExpireThere() {
        with(
                "queues.q.delivery-failure.expiration-policy=redirect",
                "queues.q.delivery-failure.error-destination=queue/errors");
        long over = stored.bench.clock().millis() + 1000;
        Probe sender = stored.client(0);
        stored.send(sender, Q, new Probe.Draft("a").with(h -> h.expiration = over));
        deliver(Q, "a");
        stored.send(sender, Q, new Probe.Draft("b").with(h -> h.expiration = over));
        stored.bench.clock().step(Duration.ofSeconds(2));
        deliver(Q);
        stored.restart();
        assertThat(stored.drain(ERRORS)).containsExactly("a!", "b");
    }

    @Test
    void whatAnAdministratorMovedExpiresWhereItIs() {
        long over = stored.bench.clock().millis() + 8000;
        Probe sender = stored.client(0);
        stored.send(sender, Q, new Probe.Draft("a").with(h -> h.expiration = over));
        stored.send(sender, Q, "b");
        move("queue/q", "queue/errors", 2);
        QueueEntry first = ((QueueDestination) stored.bench.destination("queue/errors"))
                .queue()
                .available()
                .first();
        assertThat(Objects.requireNonNull(first).message.expiration()).isEqualTo(over);
        stored.bench.clock().step(Duration.ofSeconds(9));
        assertThat(taken(ERRORS)).extracting(Probe.Delivery::body).containsExactly("b");
        stored.restart();
        assertThat(stored.drain(ERRORS)).isEmpty();
    }
}
