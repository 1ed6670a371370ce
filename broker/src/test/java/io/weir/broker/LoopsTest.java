package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jms.frames.ClientFrames.OpenConsumer;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.RefusalCode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sessions and destinations on different loops. */
class LoopsTest {
    private static final DestinationName Q = Bench.queue("q");
    private static final DestinationName T = Bench.topic("t");
    private final Bench bench = new Bench(3);
    private final int away = (bench.q().loop.index() + 1) % 3;
    private final int further = (bench.q().loop.index() + 2) % 3;

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void messagesCrossLoopsBothWaysInOrder() {
        Probe out = bench.client(away, "a");
        Probe in = bench.client(further, "b");
        out.session(1, Probe.AUTO);
        in.session(1, Probe.AUTO, 100);
        in.listen(1, 5, Q);
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            out.send(1, Q, "m" + i);
            sent.add("m" + i);
        }
        assertThat(in.bodies()).isEqualTo(sent);
        in.ack(1, 1, 50);
        assertThat(bench.q().entries().current()).isZero();
        assertThat(bench.quota("server").messages()).isZero();
    }

    /** Else acknowledge() returns before what it acknowledged is durable: a sudden death then brings it again. */
    @Test
    void acknowledgementsElsewhereAreTakenBeforeASyncIsAnswered() {
        Probe p = bench.client(away, "a");
        p.session(1, Probe.CLIENT);
        p.listen(1, 5, Q);
        p.send(1, Q, "m");
        assertThat(p.deliveries()).hasSize(1);
        bench.loops.turns = () -> 0L; // no loop has its turn
        p.ack(1, 1, 1);
        int sync = p.sync(1);
        assertThat(bench.q().entries().current()).isEqualTo(1);
        assertThat(p.ok(sync)).isFalse();
        bench.loops.turns = null;
        bench.loops.settle();
        assertThat(bench.q().entries().current()).isZero();
        p.expectOk(sync);
    }

    /** Else who waits for the end of a connection, and takes what it had, is refused now and then. */
    @Test
    void aConnectionIsFreeWhenItsConsumersLeftTheQueuesOfOtherLoops() {
        Probe p = bench.client(away, "a");
        p.session(1, Probe.AUTO);
        p.listen(1, 5, Q);
        bench.loops.held = true;
        p.lose();
        List<Long> consumersThen = new ArrayList<>();
        p.whenFree(() -> consumersThen.add(consumers()));
        assertThat(consumersThen).isEmpty();
        bench.loops.held = false;
        bench.loops.settle();
        assertThat(consumersThen).containsExactly(0L);
    }

    @Test
    void aSessionsCloseIsAnsweredWhenItsConsumersLeftTheQueuesOfOtherLoops() {
        Probe p = bench.client(away, "a");
        p.session(1, Probe.AUTO);
        p.listen(1, 5, Q);
        bench.loops.held = true;
        int close = p.undo(FrameType.CLOSE_SESSION, 1, 0);
        assertThat(p.ok(close)).isFalse();
        assertThat(consumers()).isEqualTo(1);
        bench.loops.held = false;
        bench.loops.settle();
        p.expectOk(close);
        assertThat(consumers()).isZero();
    }

    /** Else a message that its queue gave away before comes after the stop was answered. */
    @Test
    void aStopIsAnsweredWhenAConsumerThatClosesHasLeftTheQueueOfAnotherLoop() {
        Probe p = bench.client(away, "a");
        p.session(1, Probe.AUTO);
        p.listen(1, 5, Q);
        bench.loops.held = true;
        int close = p.closeConsumer(1, 5, 0);
        int stop = p.plain(FrameType.CONNECTION_STOP, 0);
        assertThat(p.ok(stop)).isFalse();
        bench.loops.held = false;
        bench.loops.settle();
        p.expectOk(close);
        p.expectOk(stop);
    }

    private long consumers() {
        return bench.destination("queue/q").counts.consumers.get();
    }

    @Test
    void theWindowIsOneForConsumersOfDestinationsOnDifferentLoops() {
        Probe p = bench.client(away, "a");
        p.session(1, Probe.AUTO, 3);
        p.listen(1, 5, Q);
        p.listen(1, 6, T);
        for (int i = 0; i < 3; i++) {
            p.send(1, Q, "q" + i);
            p.send(1, T, "t" + i);
        }
        assertThat(p.deliveries()).hasSize(3);
        p.credit(1, 3, 10_000);
        assertThat(p.deliveries()).hasSize(3);
    }

    @Test
    void recoverTakesBackWhatIsOnItsWay() {
        Probe p = bench.client(away, "a");
        Probe out = bench.client(further, "b");
        p.session(1, Probe.CLIENT, 10);
        p.listen(1, 5, Q);
        out.session(1, Probe.AUTO);
        for (int i = 1; i <= 4; i++) {
            out.send(1, Q, "m" + i);
        }
        assertThat(p.bodies()).hasSize(4);
        p.expectOk(p.undo(FrameType.RECOVER, 1, 2));
        assertThat(p.bodies()).containsExactly("m1", "m2", "m3", "m4");
    }

    @Test
    void aTransactionOverTwoLoopsIsCommitted() {
        Probe p = bench.client(away, "a");
        Probe in = bench.client(further, "b");
        in.session(1, Probe.AUTO);
        in.listen(1, 5, Q);
        in.listen(1, 6, T);
        p.session(1, Probe.TRANSACTED);
        p.expectOk(p.sendTransacted(1, Q, "q"));
        p.expectOk(p.sendTransacted(1, T, "t"));
        assertThat(in.bodies()).isEmpty();
        p.expectOk(p.commit(1));
        assertThat(in.bodies()).containsExactlyInAnyOrder("q", "t");
    }

    @Test
    void aFullMailboxRefusesSendsAndNothingElse() {
        Probe p = bench.client(away, "a");
        p.session(1, Probe.AUTO);
        p.listen(1, 5, Q);
        p.send(1, Q, "a");
        TestLoop owner = (TestLoop) bench.q().loop;
        owner.full = true;
        assertThat(p.expectRefusal(p.send(1, Q, new Probe.Draft("b"))).code())
                .isEqualTo(RefusalCode.RESOURCE_ALLOCATION);
        p.ack(1, 1, 1);
        assertThat(bench.q().entries().current()).isZero();
        assertThat(bench.quota("server").messages()).isZero();
    }

    @Test
    void aLostConnectionReturnsWhatIsOnItsWayToIt() {
        Probe p = bench.client(away, "a");
        p.session(1, Probe.AUTO);
        p.listen(1, 5, Q);
        Probe out = bench.client(bench.q().loop.index(), "b");
        out.session(1, Probe.AUTO);
        out.send(1, Q, "m");
        p.lose();
        out.consumer(1, 5, Q);
        assertThat(out.received(out.receive(1, 5, 0))).isEqualTo(1);
        assertThat(out.deliveries().getFirst().redelivered()).isTrue();
    }

    @Test
    void sharedSubscriptionsAndStopWorkAcrossLoops() {
        Probe a = bench.client(away, "a");
        Probe b = bench.client(further, "b");
        a.session(1, Probe.AUTO);
        b.session(1, Probe.AUTO);
        int flags = OpenConsumer.SHARED | OpenConsumer.ASYNC;
        a.expectOk(a.open(1, 5, T, flags, null, "s"));
        b.expectOk(b.open(1, 5, T, flags, null, "s"));
        a.expectOk(a.plain(FrameType.CONNECTION_STOP, 0));
        for (int i = 0; i < 4; i++) {
            a.send(1, T, "m" + i);
        }
        assertThat(a.bodies()).isEmpty();
        assertThat(b.bodies()).hasSize(4);
    }

    @Test
    void requestAndReplyOverATemporaryQueue() {
        Probe client = bench.client(away, "a");
        Probe server = bench.client(further, "b");
        client.session(1, Probe.NO_ACK);
        server.session(1, Probe.AUTO);
        server.listen(1, 5, Q);
        var reply = client.temporary(io.weir.jms.frames.DestinationKind.TEMPORARY_QUEUE);
        client.listen(1, 6, reply);
        client.expectOk(client.send(1, Q, new Probe.Draft("ask").with(h -> h.replyTo = reply)));
        assertThat(server.bodies()).containsExactly("ask");
        server.send(1, reply, "answer");
        assertThat(client.bodies()).containsExactly("answer");
    }
}
