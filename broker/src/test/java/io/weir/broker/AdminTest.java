package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.broker.admin.BrokerAdmin;
import io.weir.broker.admin.DestinationView;
import io.weir.broker.admin.MessageSummary;
import io.weir.broker.admin.SessionView;
import io.weir.broker.report.BrokerMessages;
import io.weir.broker.report.BrokerStats;
import io.weir.broker.report.RequestRefusal;
import io.weir.jms.frames.BrokerFrames;
import io.weir.jms.frames.ClientFrames;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.RefusalCode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AdminTest {
    private static final DestinationName Q = Bench.queue("q");
    private static final Duration TIME = Duration.ofMinutes(1);
    private final Bench bench = new Bench("queues.r.jndi-name=");
    private final BrokerAdmin admin = bench.admin();
    private final Probe p = bench.client();

    AdminTest() {
        p.session(1, Probe.AUTO);
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private <T> T done(CompletableFuture<T> answer) {
        bench.loops.settle();
        return answer.join();
    }

    private DestinationView view(String name) {
        return done(admin.destinations()).stream()
                .filter(d -> d.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void statisticsFollowMessagesThroughADestination() {
        p.send(1, Q, "a");
        p.send(1, Q, "b");
        assertThat(view("queue/q").messagesCurrent()).isEqualTo(2);
        p.consumer(1, 5, Q);
        p.receive(1, 5, 0);
        DestinationView v = view("queue/q");
        assertThat(v.messagesCurrent()).isEqualTo(1);
        assertThat(v.messagesPending()).isEqualTo(1);
        assertThat(v.messagesHigh()).isEqualTo(2);
        assertThat(v.messagesReceived()).isEqualTo(2);
        assertThat(v.bytesReceived()).isEqualTo(v.bytesCurrent() * 2);
        assertThat(v.consumers()).isEqualTo(1);
        assertThat(v.producers()).isEqualTo(1);
        assertThat(bench.stats.value(BrokerStats.MESSAGES_CURRENT, "queue/q")).isEqualTo(1);
        assertThat(bench.stats.value(BrokerStats.MESSAGES_PENDING, "queue/q")).isEqualTo(1);
        p.lose();
        v = view("queue/q");
        assertThat(v.consumers()).isZero();
        assertThat(v.producers()).isZero();
    }

    @Test
    void sessionsSayWhetherTheirWindowIsFull() {
        p.session(2, Probe.AUTO, 1);
        p.listen(2, 5, Q);
        p.send(1, Q, "a");
        p.send(1, Q, "b");
        SessionView s = done(admin.sessions()).stream()
                .filter(v -> v.session() == 2)
                .findFirst()
                .orElseThrow();
        assertThat(s.blocked()).isTrue();
        assertThat(s.outstanding()).isEqualTo(1);
        assertThat(s.unacknowledged()).isEqualTo(1);
        assertThat(bench.stats.value(BrokerStats.WINDOW_BLOCKED)).isEqualTo(1);
        assertThat(bench.stats.value(BrokerStats.SESSIONS)).isEqualTo(2);
    }

    @Test
    void browsingShowsPagesInTheOrderOfDelivery() {
        p.send(1, Q, "a");
        p.send(1, Q, "b");
        p.expectOk(p.send(1, Q, new Probe.Draft("first").with(h -> h.priority = 9)));
        List<MessageSummary> page = done(admin.browse("queue/q", null, 0, 2));
        assertThat(page).extracting(MessageSummary::text).containsExactly("first", "a");
        page = done(admin.browse("queue/q", null, page.getLast().place(), 2));
        assertThat(page).extracting(MessageSummary::text).containsExactly("b");
        assertThat(page.getFirst().id()).startsWith("ID:weir-");
    }

    @Test
    void clientsBrowseWithoutConsuming() {
        p.send(1, Q, "a");
        p.send(1, Q, "b");
        p.send(1, Q, "c");
        int first =
                p.request(FrameType.BROWSE, 1, (r, b) -> new ClientFrames.Browse(r, Q, null, 0, 2, 1 << 20).write(b));
        BrokerFrames.BrowseDone done =
                BrokerFrames.BrowseDone.read(p.frames(FrameType.BROWSE_DONE).getFirst());
        assertThat(done.request()).isEqualTo(first);
        assertThat(done.count()).isEqualTo(2);
        assertThat(p.bodies()).containsExactly("a", "b");
        p.request(
                FrameType.BROWSE, 1, (r, b) -> new ClientFrames.Browse(r, Q, null, done.cursor(), 2, 1 << 20).write(b));
        assertThat(BrokerFrames.BrowseDone.read(p.frames(FrameType.BROWSE_DONE).getFirst())
                        .cursor())
                .isZero();
        assertThat(p.bodies()).containsExactly("c");
        assertThat(bench.q().available().count()).isEqualTo(3);
    }

    @Test
    void messagesAreMovedAndDeletedBySelector() {
        for (int i = 0; i < 4; i++) {
            p.expectOk(p.send(1, Q, new Probe.Draft("m" + i).property("n", i)));
        }
        assertThat(done(admin.move("queue/q", "queue/r", "n >= 2", 100, TIME)))
                .isEqualTo(new BrokerAdmin.Done(2, true, null));
        assertThat(done(admin.delete("queue/q", "n = 0", 100, TIME))).isEqualTo(new BrokerAdmin.Done(1, true, null));
        assertThat(view("queue/q").messagesCurrent()).isEqualTo(1);
        p.listen(1, 5, Bench.queue("r"));
        assertThat(p.bodies()).containsExactly("m2", "m3");
    }

    @Test
    void resumingADestinationResumesAllOfItsStages() throws RequestRefusal {
        admin.pause("queue/q", BrokerAdmin.Stage.PRODUCTION, true);
        admin.pause("queue/q", BrokerAdmin.Stage.INSERTION, true);
        assertThat(admin.resume("queue/q")).containsExactly(BrokerAdmin.Stage.PRODUCTION, BrokerAdmin.Stage.INSERTION);
        DestinationView v = view("queue/q");
        assertThat(v.productionPaused() || v.insertionPaused() || v.consumptionPaused())
                .isFalse();
        assertThat(admin.resume("queue/q")).isEmpty();
        assertThatThrownBy(() -> admin.resume("queue/none")).isInstanceOf(RequestRefusal.class);
    }

    @Test
    void productionAndConsumptionPauseAndResume() throws RequestRefusal {
        p.listen(1, 5, Q);
        admin.pause("queue/q", BrokerAdmin.Stage.CONSUMPTION, true);
        p.send(1, Q, "a");
        assertThat(p.bodies()).isEmpty();
        admin.pause("queue/q", BrokerAdmin.Stage.CONSUMPTION, false);
        bench.loops.settle();
        assertThat(p.bodies()).containsExactly("a");
        admin.pause("queue/q", BrokerAdmin.Stage.PRODUCTION, true);
        var refused = p.expectRefusal(p.send(1, Q, new Probe.Draft("b")));
        assertThat(refused.code()).isEqualTo(RefusalCode.ILLEGAL_STATE);
        assertThat(refused.text()).contains("paused");
        admin.pause("queue/q", BrokerAdmin.Stage.PRODUCTION, false);
        p.send(1, Q, "c");
        assertThat(bench.log.count(BrokerMessages.PAUSED)).isEqualTo(2);
    }

    @Test
    void pausesComeFromTheConfigurationTooAndChangeLive() {
        bench.change("queues.q.paused.consumption=on");
        p.listen(1, 5, Q);
        p.send(1, Q, "a");
        assertThat(p.bodies()).isEmpty();
        bench.change("queues.q.paused.consumption=off");
        assertThat(p.bodies()).containsExactly("a");
    }

    @Test
    void aDeletedDestinationClosesItsConsumersAndRefusesSends() throws RequestRefusal {
        p.listen(1, 5, Q);
        p.send(1, Q, "a");
        admin.deleteDestination("queue/q");
        bench.loops.settle();
        var closed = p.frames(FrameType.CONSUMER_CLOSED);
        assertThat(closed).hasSize(1);
        assertThat(BrokerFrames.ConsumerClosed.read(closed.getFirst()).code())
                .isEqualTo(RefusalCode.DESTINATION_DELETED);
        p.expectRefusal(p.send(1, Q, new Probe.Draft("b")));
        p.ack(1, 1, 1);
        assertThat(bench.quota("server").messages()).isZero();
    }

    @Test
    void whatAConsumerOfADeletedDestinationDidNotShowGoesWithItsClose() throws RequestRefusal {
        p.listen(1, 5, Q);
        p.send(1, Q, "seen");
        p.send(1, Q, "unseen");
        admin.deleteDestination("queue/q");
        bench.loops.settle();
        p.expectOk(p.closeConsumer(1, 5, 1));
        assertThat(bench.quota("server").messages()).isEqualTo(1);
        p.ack(1, 1, 1);
        assertThat(bench.quota("server").messages()).isZero();
    }

    @Test
    void theMessagesOfADeletedDestinationGoToNobody() throws RequestRefusal {
        p.session(2, Probe.CLIENT, 1);
        p.listen(1, 5, Q);
        p.listen(2, 6, Q);
        p.send(1, Q, "for 5");
        p.expectOk(p.send(1, Q, new Probe.Draft("for 6").property("JMSXGroupID", "g")));
        p.expectOk(p.send(1, Q, new Probe.Draft("waits for 6").property("JMSXGroupID", "g")));
        assertThat(p.bodies()).containsExactly("for 5", "for 6");
        admin.deleteDestination("queue/q");
        bench.loops.settle();
        assertThat(p.bodies()).isEmpty();
        assertThat(p.frames(FrameType.CONSUMER_CLOSED)).hasSize(2);
    }

    @Test
    void whatIsUnknownIsSaid() {
        assertThatThrownBy(() -> admin.pause("queue/x", BrokerAdmin.Stage.PRODUCTION, true))
                .hasMessageContaining("queue/x");
        assertThatThrownBy(() -> done(admin.browse("topic/t", null, 0, 1))).hasMessageContaining("topic/name#key");
        assertThatThrownBy(() -> done(admin.browse("queue/q", "n =", 0, 1))).hasMessageContaining("selector");
    }
}
