package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.broker.destination.Destination;
import io.weir.broker.report.BrokerStats;
import io.weir.jms.frames.BrokerFrames;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import io.weir.jms.frames.RefusalCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class QuotaTest {
    private static final DestinationName Q = Bench.queue("q");
    private static final DestinationName R = Bench.queue("r");
    private Bench bench = new Bench("quotas.small.messages-maximum=2", "queues.q.quota=small", "queues.r.quota=small");
    private Probe p = connected();

    private Probe connected() {
        Probe fresh = bench.client();
        fresh.session(1, Probe.AUTO);
        return fresh;
    }

    private void again(String... settings) {
        bench.close();
        bench = new Bench(settings);
        p = connected();
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private void consumeOne(DestinationName d, int consumer) {
        p.consumer(1, consumer, d);
        assertThat(p.received(p.receive(1, consumer, 0))).isEqualTo(1);
        p.ack(1, 1, 100);
        p.deliveries();
    }

    @Test
    void destinationsShareAQuotaAndTheRefusalSaysWhatToDo() {
        p.send(1, Q, "a");
        p.send(1, R, "b");
        BrokerFrames.Refused refused = p.expectRefusal(p.send(1, Q, new Probe.Draft("c")));
        assertThat(refused.code()).isEqualTo(RefusalCode.RESOURCE_ALLOCATION);
        assertThat(refused.text()).contains("queue/q").contains("small").contains("2 of 2 messages");
        assertThat(bench.stats.value(BrokerStats.QUOTA_REFUSED, "small")).isEqualTo(1);
        assertThat(bench.stats.value(BrokerStats.QUOTA_MESSAGES, "small")).isEqualTo(2);
    }

    @Test
    void aTemplateGivesEachDestinationItsOwnRoom() {
        again("quotas.own.messages-maximum=1", "quotas.own.shared=off", "queues.q.quota=own", "queues.r.quota=own");
        p.send(1, Q, "a");
        p.send(1, R, "b");
        p.expectRefusal(p.send(1, Q, new Probe.Draft("c")));
    }

    @Test
    void aSendWaitsForRoomAndIsGrantedInTime() {
        p.send(1, Q, "a");
        p.send(1, Q, "b");
        int waiting = p.send(1, Q, new Probe.Draft("c"), 1000);
        assertThat(p.ok(waiting)).isFalse();
        assertThat(bench.stats.value(BrokerStats.QUOTA_WAITING, "small")).isEqualTo(1);
        bench.step(999);
        consumeOne(Q, 5);
        p.expectOk(waiting);
        assertThat(bench.quota("small").messages()).isEqualTo(2);
        assertThat(bench.stats.value(BrokerStats.QUOTA_WAITS, "small")).isEqualTo(1);
    }

    @Test
    void whoWaitedIsServedByTheRulesOfTheMomentWhenThereIsRoom() {
        p.send(1, Q, "a");
        p.send(1, Q, "b");
        int waits = p.send(1, Q, new Probe.Draft("late"), 1000);
        bench.destination("queue/q").pause(Destination.Stage.PRODUCTION, true);
        consumeOne(Q, 5);
        assertThat(p.expectRefusal(waits).code()).isEqualTo(RefusalCode.ILLEGAL_STATE);
        bench.destination("queue/q").pause(Destination.Stage.PRODUCTION, false);
        p.send(1, Q, "its room is free");
    }

    @Test
    void aSendThatWaitsInVainIsRefusedAfterItsTimeOut() {
        p.send(1, Q, "a");
        p.send(1, Q, "b");
        int waiting = p.send(1, Q, new Probe.Draft("c"), 1000);
        bench.step(1000);
        assertThat(p.expectRefusal(waiting).code()).isEqualTo(RefusalCode.RESOURCE_ALLOCATION);
        assertThat(bench.quota("small").waiting()).isZero();
    }

    @Test
    void fifoKeepsASmallRequestBehindALargeOne() {
        again("quotas.small.bytes-maximum=250", "queues.q.quota=small");
        p.send(1, Q, "x".repeat(100));
        int large = p.send(1, Q, new Probe.Draft("y".repeat(150)), 1000);
        int small = p.send(1, Q, new Probe.Draft("z"), 1000);
        assertThat(p.ok(large)).isFalse();
        assertThat(p.ok(small)).isFalse();
        consumeOne(Q, 5);
        p.expectOk(large);
        assertThat(p.ok(small)).isFalse();
        bench.step(1000);
        p.expectRefusal(small);
    }

    @Test
    void preemptiveLetsASmallRequestPass() {
        again("quotas.small.bytes-maximum=250", "quotas.small.policy=preemptive", "queues.q.quota=small");
        p.send(1, Q, "x".repeat(100));
        int large = p.send(1, Q, new Probe.Draft("y".repeat(150)), 1000);
        int small = p.send(1, Q, new Probe.Draft("z"), 1000);
        assertThat(p.ok(large)).isFalse();
        p.expectOk(small);
    }

    @Test
    void whenTheHeadGivesUpThoseBehindItMayHaveRoom() {
        again("quotas.small.bytes-maximum=250", "queues.q.quota=small");
        p.send(1, Q, "x".repeat(100));
        int large = p.send(1, Q, new Probe.Draft("y".repeat(150)), 500);
        int small = p.send(1, Q, new Probe.Draft("z"), 1000);
        bench.step(500);
        p.expectRefusal(large);
        p.expectOk(small);
    }

    @Test
    void loweredBelowUseNewRequestsWaitUntilEnoughIsGone() {
        p.send(1, Q, "a");
        p.send(1, Q, "b");
        bench.change("quotas.small.messages-maximum=1");
        consumeOne(Q, 5);
        p.expectRefusal(p.send(1, Q, new Probe.Draft("c")));
        assertThat(p.received(p.receive(1, 5, 0))).isEqualTo(1);
        p.ack(1, 1, 100);
        p.send(1, Q, "d");
    }

    @Test
    void raisingTheQuotaServesWhoWaits() {
        p.send(1, Q, "a");
        p.send(1, Q, "b");
        int waiting = p.send(1, Q, new Probe.Draft("c"), 1000);
        bench.change("quotas.small.messages-maximum=3");
        p.expectOk(waiting);
    }

    @Test
    void anotherQuotaFailsWhoWaitsForTheOldOne() {
        p.send(1, Q, "a");
        p.send(1, Q, "b");
        int waiting = p.send(1, Q, new Probe.Draft("c"), 1000);
        bench.change("quotas.other.messages-maximum=5", "queues.q.quota=other");
        assertThat(p.expectRefusal(waiting).code()).isEqualTo(RefusalCode.RESOURCE_ALLOCATION);
        p.send(1, Q, "d");
    }

    @Test
    void aOneWayMessageOverQuotaIsDroppedCountedAndReported() {
        p.send(1, Q, "a");
        p.send(1, Q, "b");
        p.sendAs(0, 1, Q, new Probe.Draft("c"), 0, 0);
        var failed = p.frames(FrameType.ONE_WAY_FAILED);
        assertThat(failed).hasSize(1);
        var said = BrokerFrames.OneWayFailed.read(failed.getFirst());
        assertThat(said.code()).isEqualTo(RefusalCode.RESOURCE_ALLOCATION);
        assertThat(said.producer()).isEqualTo(7);
        assertThat(bench.stats.value(BrokerStats.ONE_WAY_DROPPED)).isEqualTo(1);
        assertThat(bench.stats.value(BrokerStats.ONE_WAY_SENDS)).isEqualTo(1);
    }

    @Test
    void aOneWayMessageMayWaitForRoom() {
        p.send(1, Q, "a");
        p.send(1, Q, "b");
        p.sendAs(0, 1, Q, new Probe.Draft("c"), 1000, 0);
        consumeOne(Q, 5);
        assertThat(bench.quota("small").messages()).isEqualTo(2);
        assertThat(p.frames(FrameType.ONE_WAY_FAILED)).isEmpty();
    }

    @Test
    void aMessageThatCanNeverFitDoesNotWait() {
        again("quotas.small.bytes-maximum=250", "queues.q.quota=small");
        p.expectRefusal(p.send(1, Q, new Probe.Draft("y".repeat(250)), 1000));
    }

    @Test
    void moreSendsThanMayWaitAreRefusedAtOnce() {
        bench.change("limits.waiting-sends-per-session=1");
        p.send(1, Q, "a");
        p.send(1, Q, "b");
        int first = p.send(1, Q, new Probe.Draft("c"), 1000);
        p.expectRefusal(p.send(1, Q, new Probe.Draft("d"), 1000));
        bench.step(1000);
        p.expectRefusal(first);
    }

    @Test
    void theServersQuotaBoundsDestinationsWithoutOne() {
        again("jms-server.messages-maximum=1");
        p.send(1, Q, "a");
        assertThat(p.expectRefusal(p.send(1, Q, new Probe.Draft("b"))).text()).contains("quota server");
    }

    @Test
    void whoWaitsIsForgottenWhenItsConnectionIsLost() {
        p.send(1, Q, "a");
        p.send(1, Q, "b");
        Probe other = bench.client();
        other.session(1, Probe.AUTO);
        other.send(1, Q, new Probe.Draft("c"), 1000);
        other.lose();
        assertThat(bench.quota("small").waiting()).isZero();
        consumeOne(Q, 5);
        assertThat(bench.quota("small").messages()).isEqualTo(1);
    }
}
