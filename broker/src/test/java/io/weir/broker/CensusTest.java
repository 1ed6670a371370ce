package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Stats;
import io.weir.broker.admin.ConnectionView;
import io.weir.broker.admin.DestinationView;
import io.weir.broker.admin.LoopFigures;
import io.weir.broker.admin.SessionView;
import io.weir.broker.destination.Destination;
import io.weir.broker.report.BrokerMessages;
import io.weir.broker.report.BrokerStats;
import io.weir.broker.report.DestinationCounts;
import io.weir.broker.report.RequestRefusal;
import io.weir.jms.frames.ClientFrames;
import io.weir.jms.frames.DestinationKind;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What loops count for those who watch, and who is named as slow. */
class CensusTest {
    private static final DestinationName Q = Bench.queue("q");
    private final Bench bench =
            new Bench("limits.slow-consumer-time=5s", "quotas.own.messages-maximum=10", "quotas.own.shared=false");
    private final LoopMaintenance upkeep = bench.maintenance();

    CensusTest() {
        bench.loops.loops.getFirst().on(upkeep::start);
    }

    @AfterEach
    void close() {
        upkeep.stop();
        bench.close();
    }

    private LoopFigures figures() {
        return bench.admin().figures().getFirst();
    }

    @Test
    void figuresAreThoseOfTheLatestSecond() {
        Probe p = bench.client();
        p.session(1, Probe.CLIENT, 2);
        p.listen(1, 5, Q);
        for (int i = 0; i < 5; i++) {
            p.send(1, Q, "m" + i);
        }
        assertThat(figures().sessions()).isEmpty();
        bench.step(1000);

        DestinationView q = figures().destinations().getFirst();
        assertThat(q.name()).isEqualTo("queue/q");
        assertThat(List.of(q.messagesCurrent(), q.messagesPending(), q.messagesHigh(), q.messagesReceived()))
                .containsExactly(3L, 2L, 5L, 5L);
        SessionView s = figures().sessions().getFirst();
        assertThat(List.of(s.window(), s.outstanding(), s.unacknowledged())).containsExactly(2, 2, 2);
        assertThat(s.blocked()).isTrue();
        ConnectionView c = figures().connections().getFirst();
        assertThat(List.of(c.sessions(), c.blockedSessions(), c.unacknowledged()))
                .containsExactly(1, 1, 2);
        assertThat(c.address()).matches("[0-9.]+:\\d+");
    }

    @Test
    void figuresOfALoopThatDoesNotTurnAreTheLastAndSaySo() {
        bench.step(1000);
        assertThat(figures().stale()).isFalse();
        upkeep.stop();
        bench.step(2900);
        assertThat(figures().stale()).isFalse();
        bench.step(200);
        assertThat(figures().stale()).isTrue();
        assertThat(figures().destinations()).hasSize(2);
    }

    @Test
    void temporaryDestinationsAreOneSumThatNeverCountsBack() {
        Probe p = bench.client();
        p.session(1, Probe.AUTO);
        for (int i = 0; i < 50; i++) {
            p.request(
                    FrameType.CREATE_TEMPORARY,
                    0,
                    (r, b) -> new ClientFrames.CreateTemporary(r, DestinationKind.TEMPORARY_QUEUE).write(b));
        }
        for (Destination d : bench.engine.destinations().all()) {
            if (d.owner != 0) {
                p.send(1, d.name, "x");
            }
        }
        bench.step(1000);
        assertThat(value(BrokerStats.MESSAGES_CURRENT)).isEqualTo(50);
        assertThat(value(BrokerStats.MESSAGES_RECEIVED)).isEqualTo(50);
        assertThat(bench.stats.value(BrokerStats.TEMPORARIES)).isEqualTo(50);
        assertThat(figures().connections().getFirst().temporaryDestinations()).isEqualTo(50);
        long labels = bench.stats.samples().stream()
                .filter(s -> s.spec().equals(BrokerStats.MESSAGES_CURRENT))
                .count();
        assertThat(labels).as("q, t and temporary").isEqualTo(3);

        p.lose();
        bench.step(1000);
        assertThat(value(BrokerStats.MESSAGES_CURRENT)).isZero();
        assertThat(value(BrokerStats.MESSAGES_RECEIVED)).isEqualTo(50);
        assertThat(bench.stats.value(BrokerStats.TEMPORARIES)).isZero();
    }

    private long value(io.weir.base.StatSpec spec) {
        return bench.stats.value(spec, DestinationCounts.TEMPORARY);
    }

    @Test
    void deletedDestinationLeavesNoLabel() throws RequestRefusal {
        bench.change("queues.gone.quota=own");
        assertThat(labels("queue/gone")).isPositive();
        assertThat(labels("own/queue/gone")).isPositive();
        bench.admin().deleteDestination("queue/gone");
        bench.loops.settle();

        assertThat(labels("queue/gone")).isZero();
        assertThat(labels("own/queue/gone")).isZero();
        assertThat(bench.engine.quotas().all()).doesNotContainKey("own/queue/gone");
    }

    private long labels(String value) {
        return bench.stats.samples().stream()
                .filter(s -> s.labels().contains(value))
                .count();
    }

    @Test
    void manyDestinationsDoNotMakeManyLabels() {
        for (int i = 0; i < Stats.MAX_CHILDREN + 50; i++) {
            bench.engine
                    .destinations()
                    .create(
                            Bench.queue("many" + i),
                            bench.destination("queue/q").config());
        }
        long labels = bench.stats.samples().stream()
                .filter(s -> s.spec().equals(BrokerStats.MESSAGES_CURRENT))
                .count();
        assertThat(labels).isEqualTo(Stats.MAX_CHILDREN);
    }

    @Test
    void aSlowConsumerIsNamedOnceForEachTimeThatItFellBehind() {
        Probe p = bench.client();
        p.frame(FrameType.SET_CLIENT_ID, 0, b -> new ClientFrames.SetClientId(9000, false, "till-7").write(b));
        p.session(1, Probe.AUTO, 1);
        p.listen(1, 5, Q);
        p.send(1, Q, "taken");
        p.send(1, Q, "waits");
        bench.step(4000);
        assertThat(bench.log.count(BrokerMessages.SLOW_CONSUMER)).isZero();
        bench.step(2000);
        assertThat(bench.log.count(BrokerMessages.SLOW_CONSUMER)).isEqualTo(1);
        assertThat(bench.log.entries().getLast().arguments().toString())
                .contains("queue/q", "client id till-7", "connection 1", "session 1");
        bench.step(60_000);
        assertThat(bench.log.count(BrokerMessages.SLOW_CONSUMER)).isEqualTo(1);

        p.credit(1, 2, 10_000);
        p.credit(1, 2, 10_000);
        bench.step(1000);
        p.send(1, Q, "taken");
        p.send(1, Q, "waits");
        bench.step(6000);
        assertThat(bench.log.count(BrokerMessages.SLOW_CONSUMER)).isEqualTo(2);
        assertThat(bench.stats.value(BrokerStats.SLOW_CONSUMERS)).isEqualTo(2);
    }

    @Test
    @Timeout(300)
    void figuresAnswerWhileALoopHangs() throws Exception {
        try (RealBroker b = new RealBroker(null)) {
            CountDownLatch end = new CountDownLatch(1);
            CountDownLatch hanging = new CountDownLatch(1);
            b.broker.engine().loops().getFirst().post(() -> {
                hanging.countDown();
                await(end);
            });
            try {
                assertThat(hanging.await(3, TimeUnit.MINUTES)).isTrue();
                until(() -> b.broker.admin().figures().getFirst().stale());
                List<LoopFigures> all = b.broker.admin().figures();
                assertThat(all.stream().mapToInt(l -> l.destinations().size()).sum())
                        .isEqualTo(2);
                assertThat(all.stream().skip(1)).noneMatch(LoopFigures::stale);
            } finally {
                end.countDown();
            }
            until(() -> !b.broker.admin().figures().getFirst().stale());
        }
    }

    private static void await(CountDownLatch end) {
        try {
            assertThat(end.await(3, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void until(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            LockSupport.parkNanos(10_000_000);
        }
    }
}
