package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.broker.admin.BrokerAdmin;
import io.weir.broker.destination.Destination;
import io.weir.broker.destination.QueueDestination;
import io.weir.broker.report.BrokerStats;
import io.weir.jms.frames.ClientFrames;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.RefusalCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of a message while its own write is under way, and when that fails: a refused one is nowhere but at who had it before. */
class UnwrittenMoveTest {
    private static final DestinationName Q = Bench.queue("q");
    private static final DestinationName R = Bench.queue("r");
    private static final DestinationName T = Bench.topic("t");
    private static final Duration TIME = Duration.ofMinutes(1);

    private StoredBench stored = new StoredBench("queues.r.jndi-name=");

    @AfterEach
    void close() {
        stored.close();
    }

    private void with(String... settings) {
        stored.close();
        List<String> all = new ArrayList<>(List.of("queues.r.jndi-name="));
        all.addAll(List.of(settings));
        stored = new StoredBench(all.toArray(String[]::new));
    }

    private BrokerAdmin admin() {
        return stored.bench.admin();
    }

    /** Its journal has begun: the next write is that of the next batch. */
    private Probe sender() {
        Probe p = stored.client(0);
        stored.send(p, R, "first");
        var _ = admin().delete("queue/r", null, Long.MAX_VALUE, TIME);
        stored.write();
        return p;
    }

    private int begin(Probe p, Probe.Draft draft) {
        return p.send(1, Q, draft.persistent());
    }

    /** The disk fails for the batch that has the send, and works for what is asked for meanwhile. */
    private void failOnce(Runnable meanwhile) {
        stored.disk.whileOneFails = () -> {
            meanwhile.run();
            stored.bench.loops.settle();
        };
        stored.write();
        stored.step(Duration.ofSeconds(3));
    }

    private void refused(Probe p, int request) {
        assertThat(p.expectRefusal(request).code()).isEqualTo(RefusalCode.STORE);
    }

    private long entries(String queue) {
        return ((QueueDestination) stored.bench.destination(queue))
                .queue()
                .entries()
                .current();
    }

    private void nowhere() {
        assertThat(entries("queue/q")).isZero();
        assertThat(entries("queue/r")).isZero();
        stored.restart();
        assertThat(stored.drain(Q)).isEmpty();
        assertThat(stored.drain(R)).isEmpty();
    }

    @Test
    void aMoveWaitsForTheWriteAndDoesNotTakeWhatIsRefused() {
        Probe p = sender();
        int request = begin(p, new Probe.Draft("a"));
        List<CompletableFuture<BrokerAdmin.Done>> moved = new ArrayList<>();
        failOnce(() -> moved.add(admin().move("queue/q", "queue/r", null, Long.MAX_VALUE, TIME)));
        refused(p, request);
        assertThat(moved.getFirst().join()).isEqualTo(new BrokerAdmin.Done(0, true, null));
        nowhere();
    }

    @Test
    void aMoveTakesWhatIsWrittenMeanwhile() {
        Probe p = sender();
        int first = begin(p, new Probe.Draft("a"));
        int second = begin(p, new Probe.Draft("b"));
        CompletableFuture<BrokerAdmin.Done> moved = admin().move("queue/q", "queue/r", null, Long.MAX_VALUE, TIME);
        stored.write();
        p.expectOk(first);
        p.expectOk(second);
        assertThat(moved.join()).isEqualTo(new BrokerAdmin.Done(2, true, null));
        stored.restart();
        assertThat(stored.drain(R)).containsExactly("a", "b");
        assertThat(stored.drain(Q)).isEmpty();
    }

    @Test
    void aDeletionWaitsForTheWriteAndDoesNotCountWhatIsRefused() {
        Probe p = sender();
        int request = begin(p, new Probe.Draft("a"));
        List<CompletableFuture<BrokerAdmin.Done>> deleted = new ArrayList<>();
        failOnce(() -> deleted.add(admin().delete("queue/q", null, Long.MAX_VALUE, TIME)));
        refused(p, request);
        assertThat(deleted.getFirst().join()).isEqualTo(new BrokerAdmin.Done(0, true, null));
        nowhere();
    }

    @Test
    void whatExpiresWhileItIsWrittenIsRedirectedWhenItIs() {
        with(
                "queues.q.delivery-failure.expiration-policy=redirect",
                "queues.q.delivery-failure.error-destination=queue/r");
        Probe p = sender();
        p.listen(1, 5, Q);
        long past = stored.bench.clock().millis() - 1;
        stored.bench.loops.held = true;
        int request = begin(p, new Probe.Draft("a").with(h -> h.expiration = past));
        failOnce(() -> stored.bench.loops.held = false);
        refused(p, request);
        nowhere();
        Probe again = stored.client(0);
        again.listen(1, 5, Q);
        stored.send(again, Q, new Probe.Draft("b").with(h -> h.expiration = past));
        assertThat(entries("queue/q")).isZero();
        assertThat(stored.drain(R)).containsExactly("b");
    }

    @Test
    void theScanTakesWhatExpiredWhenItIsWritten() {
        with(
                "queues.q.delivery-failure.expiration-policy=redirect",
                "queues.q.delivery-failure.error-destination=queue/r");
        Probe p = sender();
        long over = stored.bench.clock().millis() + 10;
        int waiting = begin(p, new Probe.Draft("a").with(h -> h.expiration = over));
        int delayed = begin(p, new Probe.Draft("b").with(h -> {
                    h.expiration = over;
                    h.deliveryTime = over + 60_000;
                }));
        stored.bench.clock().step(Duration.ofMillis(20));
        failOnce(this::scan);
        refused(p, waiting);
        refused(p, delayed);
        nowhere();
        p = sender();
        long past = stored.bench.clock().millis() - 1;
        stored.send(p, Q, new Probe.Draft("c").with(h -> h.expiration = past));
        scan();
        stored.write();
        assertThat(stored.drain(R)).containsExactly("c");
    }

    private void scan() {
        ((TestLoop) stored.bench.q().loop).on(stored.bench.q().expiry()::scan);
        stored.bench.loops.settle();
    }

    @Test
    void whatIsOverItsLimitBeforeItIsWrittenIsRedirectedWhenItIs() {
        with("queues.q.delivery-failure.redelivery-limit=0", "queues.q.delivery-failure.error-destination=queue/r");
        Probe consumer = stored.client(0);
        consumer.listen(1, 5, Q);
        Probe p = sender();
        int request = begin(p, new Probe.Draft("a"));
        assertThat(consumer.bodies()).as("delivered before it is durable").containsExactly("a");
        failOnce(() -> consumer.undo(FrameType.RECOVER, 1, 1));
        refused(p, request);
        consumer.lose();
        nowhere();
    }

    @Test
    void whatAConsumerHadBeforeItWasRefusedGoesWhenItIsGivenBack() {
        Probe consumer = stored.client(0);
        consumer.listen(1, 5, Q);
        Probe p = sender();
        int request = begin(p, new Probe.Draft("a"));
        assertThat(consumer.bodies()).containsExactly("a");
        failOnce(() -> {});
        refused(p, request);
        consumer.lose();
        assertThat(stored.drain(Q)).as("nothing of it is there").isEmpty();
        nowhere();
    }

    @Test
    void aRefusedPublicationIsNotLeftToThoseWhoNeedNoDisk() {
        Probe durable = stored.client(0);
        durable.expectOk(durable.request(
                FrameType.SET_CLIENT_ID, 0, (r, b) -> new ClientFrames.SetClientId(r, false, "client").write(b)));
        int open = durable.open(1, 5, T, ClientFrames.OpenConsumer.DURABLE, null, "all");
        stored.write();
        durable.expectOk(open);
        Probe waits = stored.client(0);
        waits.consumer(1, 5, T);
        Probe listens = stored.client(0);
        listens.listen(1, 5, T);
        Probe p = sender();
        int request = p.send(1, T, new Probe.Draft("a").persistent());
        assertThat(listens.bodies()).containsExactly("a");
        failOnce(() -> {});
        refused(p, request);
        assertThat(waits.received(waits.receive(1, 5, 0))).isZero();
        assertThat(durable.received(durable.receive(1, 5, 0))).isZero();
        listens.undo(FrameType.RECOVER, 1, 1);
        assertThat(listens.bodies()).as("given back it is dropped").isEmpty();
        assertThat(stored.bench.stats.value(BrokerStats.MEMORY_MESSAGES)).isZero();
    }

    @Test
    void whatIsRefusedWhileItIsMarkedDoesNotLeave() throws Exception {
        admin().pause("queue/q", BrokerAdmin.Stage.CONSUMPTION, true);
        Probe consumer = stored.client(0);
        consumer.listen(1, 5, Q);
        Probe p = sender();
        int request = begin(p, new Probe.Draft("a"));
        // its mark waits behind it
        Destination q = stored.bench.destination("queue/q");
        failOnce(() -> q.pause(Destination.Stage.CONSUMPTION, false));
        refused(p, request);
        assertThat(consumer.bodies()).isEmpty();
        consumer.lose();
        nowhere();
    }
}
