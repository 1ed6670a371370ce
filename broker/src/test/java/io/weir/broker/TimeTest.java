package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.broker.admin.DestinationView;
import io.weir.broker.report.BrokerMessages;
import io.weir.broker.report.BrokerStats;
import io.weir.jms.frames.DestinationName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Expiry and delivery delay. */
class TimeTest {
    private static final DestinationName Q = Bench.queue("q");
    private final Bench bench = new Bench("queues.errors.jndi-name=", "jms-server.expiration-scan-interval=30s");

    @AfterEach
    void close() {
        bench.close();
    }

    private Probe.Draft living(String body, long millis) {
        return new Probe.Draft(body).with(h -> h.expiration = bench.clock().millis() + millis);
    }

    @Test
    void anExpiredMessageIsNotDeliveredAndCounted() {
        Probe p = bench.client();
        p.session(1, Probe.AUTO);
        p.expectOk(p.send(1, Q, living("short", 1000)));
        p.expectOk(p.send(1, Q, living("long", 1001)));
        bench.step(1000);
        p.listen(1, 5, Q);
        assertThat(p.bodies()).containsExactly("long");
        assertThat(bench.stats.value(BrokerStats.EXPIRED, "queue/q")).isEqualTo(1);
    }

    @Test
    void theScanFindsExpiredMessagesThatNobodyAsksFor() {
        LoopMaintenance upkeep = bench.maintenance();
        bench.loops.loops.getFirst().on(upkeep::start);
        Probe p = bench.client();
        p.session(1, Probe.AUTO);
        p.expectOk(p.send(1, Q, living("short", 1000)));
        p.send(1, Q, "for ever");
        bench.step(29_000);
        assertThat(bench.q().entries().current()).isEqualTo(2);
        bench.step(1_000);
        assertThat(bench.q().entries().current()).isEqualTo(1);
        upkeep.stop();
    }

    @Test
    void expiredMessagesAreLoggedOrRedirectedByPolicy() {
        bench.change("queues.q.delivery-failure.expiration-policy=log");
        Probe p = bench.client();
        p.session(1, Probe.AUTO);
        p.expectOk(p.send(1, Q, living("a", 10)));
        bench.step(10);
        p.consumer(1, 5, Q);
        assertThat(p.received(p.receive(1, 5, 0))).isZero();
        assertThat(bench.log.count(BrokerMessages.EXPIRED)).isEqualTo(1);
        bench.change(
                "queues.q.delivery-failure.expiration-policy=redirect",
                "queues.q.delivery-failure.error-destination=queue/errors");
        p.expectOk(p.send(1, Q, living("b", 10)));
        bench.step(10);
        assertThat(p.received(p.receive(1, 5, 0))).isZero();
        p.consumer(1, 6, Bench.queue("errors"));
        assertThat(p.received(p.receive(1, 6, 0))).isEqualTo(1);
        assertThat(p.bodies()).containsExactly("b");
    }

    @Test
    void aDelayedMessageComesAtItsTimeAndIsNotBrowsedBefore() {
        Probe p = bench.client();
        p.session(1, Probe.AUTO);
        p.listen(1, 5, Q);
        p.expectOk(p.send(
                1,
                Q,
                new Probe.Draft("later")
                        .with(h -> h.deliveryTime = bench.clock().millis() + 200)));
        p.expectOk(p.send(
                1,
                Q,
                new Probe.Draft("sooner")
                        .with(h -> h.deliveryTime = bench.clock().millis() + 100)));
        p.send(1, Q, "now");
        assertThat(p.bodies()).containsExactly("now");
        assertThat(DestinationView.of(bench.destination("queue/q")).messagesPending())
                .isEqualTo(3);
        bench.step(100);
        assertThat(p.bodies()).containsExactly("sooner");
        bench.step(100);
        assertThat(p.bodies()).containsExactly("later");
    }

    @Test
    void equalDeliveryTimesKeepTheOrderAlsoWhereTheTimerIsLate() {
        Probe p = bench.client();
        p.session(1, Probe.AUTO, 100);
        p.listen(1, 5, Q);
        long due = bench.clock().millis() + 1;
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            if (i == 15) {
                bench.clock().step(Duration.ofMillis(1)); // no timer runs
            }
            sent.add("m" + i);
            p.expectOk(p.send(1, Q, new Probe.Draft("m" + i).with(h -> h.deliveryTime = due)));
        }
        bench.step(1);
        assertThat(p.bodies()).isEqualTo(sent);
    }

    @Test
    void whatIsDueWhenTheWallClockJumpsForwardComesWithinASecond() {
        TestLoop loop = bench.loops.loops.getFirst();
        LoopMaintenance upkeep = bench.maintenance(loop);
        loop.on(upkeep::start);
        Probe p = bench.client();
        p.session(1, Probe.AUTO);
        p.listen(1, 5, Q);
        p.expectOk(p.send(
                1,
                Q,
                new Probe.Draft("m").with(h -> h.deliveryTime = bench.clock().millis() + 1_800_000)));
        bench.clock().jump(Duration.ofHours(1));
        bench.step(1000);
        assertThat(p.bodies()).containsExactly("m");
        upkeep.stop();
    }

    @Test
    void theDelayOfARedeliveryIsTimeThatPassesWhateverTheWallClockShows() {
        bench.change("queues.q.delivery-failure.redelivery-delay=5000");
        Probe p = bench.client();
        p.session(1, Probe.CLIENT);
        p.listen(1, 5, Q);
        p.send(1, Q, "m");
        assertThat(p.bodies()).containsExactly("m");
        p.undo(io.weir.jms.frames.FrameType.RECOVER, 1, 1);
        bench.clock().jump(Duration.ofHours(-3));
        bench.step(4999);
        assertThat(p.bodies()).isEmpty();
        bench.step(1);
        assertThat(p.bodies()).containsExactly("m");
    }

    @Test
    void theDestinationOverridesWhatProducersSet() {
        bench.change(
                "queues.q.overrides.priority=7",
                "queues.q.overrides.time-to-live=1000",
                "queues.q.overrides.time-to-deliver=100");
        Probe p = bench.client();
        p.session(1, Probe.AUTO);
        p.listen(1, 5, Q);
        p.send(1, Q, "a");
        assertThat(p.bodies()).isEmpty();
        bench.step(100);
        assertThat(p.bodies()).containsExactly("a");
        p.expectOk(p.closeConsumer(1, 5, 100));
        p.send(1, Q, "b");
        bench.step(1100);
        p.consumer(1, 6, Q);
        assertThat(p.received(p.receive(1, 6, 0))).isZero();
    }
}
