package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.broker.admin.DestinationView;
import io.weir.broker.loop.BrokerLoop;
import io.weir.broker.report.BrokerStats;
import io.weir.jms.WeirConnectionFactory;
import io.weir.jms.frames.BrokerFrames;
import io.weir.jms.frames.ClientFrames;
import io.weir.jms.frames.DestinationKind;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.RefusalCode;
import io.weir.wire.login.Principal;
import io.weir.wire.naming.NamingEntry;
import jakarta.jms.JMSContext;
import jakarta.jms.Queue;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Knobs that no other test turns: what each does to who sends and receives. */
class KnobsTest {
    private static final DestinationName Q = Bench.queue("q");
    private Bench bench = new Bench();
    private Probe p = client();

    private Probe client() {
        Probe fresh = bench.client();
        fresh.session(1, Probe.AUTO);
        return fresh;
    }

    private void with(String... settings) {
        bench.close();
        bench = new Bench(settings);
        p = client();
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private RefusalCode refusalOf(String body) {
        return p.expectRefusal(p.send(1, Q, new Probe.Draft(body))).code();
    }

    @Test
    void theServersBytesAndPolicyHoldForDestinationsWithoutAQuota() {
        with("jms-server.bytes-maximum=250", "jms-server.blocking-send-policy=preemptive");
        p.send(1, Q, "x".repeat(100));
        int large = p.send(1, Q, new Probe.Draft("y".repeat(150)), 1000);
        int small = p.send(1, Q, new Probe.Draft("z"), 1000);
        assertThat(p.ok(large)).isFalse();
        p.expectOk(small);
    }

    @Test
    void theServersMaximumMessageSizeBoundsEveryDestinations() {
        with("jms-server.maximum-message-size=300", "queues.q.maximum-message-size=1000");
        assertThat(refusalOf("x".repeat(400))).isEqualTo(RefusalCode.MESSAGE_TOO_LARGE);
        p.send(1, Q, "x".repeat(100));
    }

    @Test
    void temporaryDestinationsMayBeForbidden() {
        with("jms-server.hosting-temporary-destinations=off");
        int r = p.request(
                FrameType.CREATE_TEMPORARY,
                0,
                (n, b) -> new ClientFrames.CreateTemporary(n, DestinationKind.TEMPORARY_QUEUE).write(b));
        BrokerFrames.Refused refused = p.expectRefusal(r);
        assertThat(refused.code()).isEqualTo(RefusalCode.RESOURCE_ALLOCATION);
        assertThat(refused.text()).contains("hosting-temporary-destinations");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jms-server.paused.production=on", "queues.q.paused.production=on"})
    void pausedProductionRefusesSends(String setting) {
        with(setting);
        assertThat(refusalOf("a")).isEqualTo(RefusalCode.ILLEGAL_STATE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jms-server.paused.consumption=on", "queues.q.paused.consumption=on"})
    void pausedConsumptionKeepsMessages(String setting) {
        with(setting);
        p.send(1, Q, "a");
        p.listen(1, 5, Q);
        assertThat(p.bodies()).isEmpty();
        DestinationView view = DestinationView.of(bench.destination("queue/q"));
        assertThat(view.consumptionPaused()).isTrue();
        assertThat(view.messagesCurrent()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jms-server.paused.insertion=on", "queues.q.paused.insertion=on"})
    void pausedInsertionRefusesCommits(String setting) {
        with(setting);
        p.session(2, Probe.TRANSACTED);
        p.expectOk(p.sendTransacted(2, Q, "a"));
        p.expectRefusal(p.commit(2));
        assertThat(bench.q().entries().current()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"jms-server", "queues.q"})
    void pausesFollowALiveChangeBothWays(String of) {
        bench.change(of + ".paused.production=on");
        assertThat(refusalOf("a")).isEqualTo(RefusalCode.ILLEGAL_STATE);
        bench.change(of + ".paused.production=off", of + ".paused.consumption=on");
        p.send(1, Q, "b");
        p.listen(1, 5, Q);
        assertThat(p.bodies()).isEmpty();
        bench.change(of + ".paused.consumption=off", of + ".paused.insertion=on");
        assertThat(p.bodies()).containsExactly("b");
        p.session(2, Probe.TRANSACTED);
        p.expectOk(p.sendTransacted(2, Q, "c"));
        p.expectRefusal(p.commit(2));
        bench.change(of + ".paused.insertion=off");
        p.send(1, Q, "d");
        assertThat(p.bodies()).containsExactly("d");
    }

    @Test
    void whatOneKeyResumesAnotherMayPauseStill() {
        bench.change("jms-server.paused.production=on", "queues.q.paused.production=on");
        bench.change("jms-server.paused.production=off");
        assertThat(refusalOf("a")).isEqualTo(RefusalCode.ILLEGAL_STATE);
        bench.change("queues.q.paused.production=off");
        p.send(1, Q, "b");
    }

    @Test
    @Timeout(300)
    void aMailboxTakesAsMuchAsTheKnobSays() throws Exception {
        try (RealBroker b = new RealBroker(null, "limits.mailbox-capacity=64")) {
            CountDownLatch end = new CountDownLatch(1);
            CountDownLatch hanging = new CountDownLatch(1);
            BrokerLoop loop = b.broker.engine().loops().getFirst();
            loop.post(() -> {
                hanging.countDown();
                await(end);
            });
            try {
                assertThat(hanging.await(3, TimeUnit.MINUTES)).isTrue();
                int taken = 0;
                while (taken < 1000 && loop.offer(() -> {})) {
                    taken++;
                }
                assertThat(taken).isBetween(1, 64);
                assertThat(b.stats.sum(BrokerStats.MAILBOX_REFUSED)).isEqualTo(1);
            } finally {
                end.countDown();
            }
        }
    }

    private static void await(CountDownLatch end) {
        try {
            assertThat(end.await(3, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    @Timeout(300)
    void whatAFactoryDecidesIsInTheMessagesOfItsProducers() throws Exception {
        try (RealBroker b = new RealBroker(
                null,
                "connection-factories.mine.delivery.default-delivery-mode=non-persistent",
                "connection-factories.mine.delivery.default-priority=7",
                "connection-factories.mine.delivery.default-time-to-live=60000",
                "connection-factories.mine.delivery.default-time-to-deliver=50")) {
            NamingEntry mine = Objects.requireNonNull(
                    b.broker.directory().lookup("jms/mine", new Principal("anybody", List.of())));
            try (JMSContext context = new WeirConnectionFactory(b.url(), mine.attributes()).createContext()) {
                Queue q = context.createQueue("q");
                context.createProducer().send(q, "a");
                jakarta.jms.Message m = context.createConsumer(q).receive(10_000);
                assertThat(m.getJMSPriority()).isEqualTo(7);
                assertThat(m.getJMSExpiration()).isGreaterThanOrEqualTo(m.getJMSTimestamp() + 60_000);
                assertThat(m.getJMSDeliveryTime()).isGreaterThanOrEqualTo(m.getJMSTimestamp() + 50);
            }
        }
    }

    @Test
    void whoMayNotBrowseIsRefused() {
        with("queues.q.access.browse=[auditor]");
        int r = p.request(FrameType.BROWSE, 1, (n, b) -> new ClientFrames.Browse(n, Q, null, 0, 10, 10_000).write(b));
        assertThat(p.expectRefusal(r).code()).isEqualTo(RefusalCode.SECURITY);
        Probe auditor = bench.client(0, "auditor");
        auditor.session(1, Probe.AUTO);
        r = auditor.request(FrameType.BROWSE, 1, (n, b) -> new ClientFrames.Browse(n, Q, null, 0, 10, 10_000).write(b));
        assertThat(auditor.refusal(r)).isNull();
    }

    @Test
    void theDestinationsRedeliveryDelayCountsBeforeTheSessions() {
        with("queues.q.delivery-failure.redelivery-delay=100");
        p.session(2, Probe.CLIENT, 10, -1, 5000);
        p.listen(2, 5, Q);
        p.send(1, Q, "a");
        assertThat(p.bodies()).containsExactly("a");
        p.expectOk(p.undo(FrameType.RECOVER, 2, 1));
        bench.step(99);
        assertThat(p.bodies()).isEmpty();
        bench.step(1);
        assertThat(p.bodies()).containsExactly("a");
    }

    @Test
    void thePerformancePreferenceIsAcceptedAndChangesNothing() {
        with("queues.q.messaging-performance-preference=100");
        p.listen(1, 5, Q);
        p.send(1, Q, "at once");
        assertThat(p.bodies()).containsExactly("at once");
    }
}
