package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.weir.broker.queue.Message;
import io.weir.broker.report.BrokerMessages;
import io.weir.broker.report.BrokerStats;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.MessageView;
import io.weir.jms.frames.RefusalCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MessageMemoryTest {
    private static final DestinationName Q = Bench.queue("q");
    private static final DestinationName R = Bench.queue("r");
    private Bench bench = new Bench();
    private Probe p = connected("limits.messages-in-memory=2", "quotas.own.messages-maximum=5", "queues.r.quota=own");

    private Probe connected(String... settings) {
        bench.close();
        bench = new Bench(settings);
        Probe fresh = bench.client();
        fresh.session(1, Probe.AUTO);
        return fresh;
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private static final DestinationName T = Bench.topic("t");

    private void subscribers(int n) {
        p.session(2, Probe.AUTO, 0);
        for (int i = 0; i < n; i++) {
            p.listen(2, 100 + i, T);
        }
    }

    @Test
    void eachSubscriptionsReferenceToAMessageCounts() {
        // 16 messages in one queue each, or one in 46 subscriptions
        p = connected("limits.messages-in-memory=16");
        subscribers(40);
        p.send(1, T, "a");
        assertThat(bench.stats.value(BrokerStats.MEMORY_REFERENCES)).isEqualTo(39);
        assertThat(bench.stats.value(BrokerStats.MEMORY_MESSAGES)).isEqualTo(1);
        var refused = p.expectRefusal(p.send(1, T, new Probe.Draft("b")));
        assertThat(refused.code()).isEqualTo(RefusalCode.RESOURCE_ALLOCATION);
        assertThat(refused.text()).contains("39 further references");
        p.send(1, Q, "fits");
        for (int i = 0; i < 30; i++) {
            p.expectOk(p.closeConsumer(2, 100 + i, 0));
        }
        assertThat(bench.stats.value(BrokerStats.MEMORY_REFERENCES)).isEqualTo(9);
        p.send(1, T, "now");
        assertThat(bench.stats.value(BrokerStats.MEMORY_REFERENCES)).isEqualTo(18);
    }

    @Test
    void whoDoesNotWantAMessageTakesNoRoomForIt() {
        p = connected("limits.messages-in-memory=16");
        p.session(2, Probe.AUTO, 0);
        for (int i = 0; i < 40; i++) {
            p.listen(2, 100 + i, T, "n = " + i);
        }
        for (int i = 0; i < 3; i++) {
            p.expectOk(p.send(1, T, new Probe.Draft("m").property("n", i)));
        }
        assertThat(bench.stats.value(BrokerStats.MEMORY_REFERENCES)).isZero();
        assertThat(bench.stats.value(BrokerStats.MEMORY_MESSAGES)).isEqualTo(3);
    }

    @Test
    void aSendThatWaitsForReferencesIsGrantedWhenTheyAreGone() {
        p = connected("limits.messages-in-memory=16");
        subscribers(40);
        p.send(1, T, "a");
        int waits = p.send(1, T, new Probe.Draft("b"), 1000);
        assertThat(p.ok(waits)).isFalse();
        for (int i = 0; i < 30; i++) {
            p.expectOk(p.closeConsumer(2, 100 + i, 0));
        }
        p.expectOk(waits);
    }

    @Test
    void aMessageForMoreSubscriptionsThanMemoryHoldsIsRefusedAtOnce() {
        p = connected("limits.messages-in-memory=4");
        subscribers(40);
        p.expectRefusal(p.send(1, T, new Probe.Draft("a"), 60_000));
    }

    private void consumeOne(DestinationName d, int consumer) {
        p.consumer(1, consumer, d);
        assertThat(p.received(p.receive(1, consumer, 0))).isEqualTo(1);
        p.ack(1, 1, 100);
        p.deliveries();
    }

    @Test
    void withoutAnyConfigurationItIsBounded() {
        p = connected();
        var said = bench.log.entries().stream()
                .filter(e -> e.message() == BrokerMessages.MEMORY)
                .findFirst()
                .orElseThrow();
        long heap = Runtime.getRuntime().maxMemory();
        assertThat((Long) said.arguments().get(0)).isPositive().isLessThan(heap / 256);
        assertThat((Long) said.arguments().get(1)).isPositive().isLessThan(Long.MAX_VALUE / 4);
    }

    @Test
    void itBoundsAllDestinationsTogetherWhateverTheirQuotas() {
        p.send(1, Q, "a");
        p.send(1, R, "b");
        for (DestinationName d : new DestinationName[] {Q, R}) {
            var refused = p.expectRefusal(p.send(1, d, new Probe.Draft("c")));
            assertThat(refused.code()).isEqualTo(RefusalCode.RESOURCE_ALLOCATION);
            assertThat(refused.text()).contains("2 messages").contains("of 2 (").contains("in memory");
        }
        assertThat(bench.stats.value(BrokerStats.MEMORY_MESSAGES)).isEqualTo(2);
        assertThat(bench.quota("own").messages()).isEqualTo(1);
        assertThat(bench.log.count(BrokerMessages.MEMORY_FULL)).as("said once").isEqualTo(1);
        consumeOne(Q, 5);
        p.send(1, R, "d");
    }

    @Test
    void aRefusalNamesTheBoundThatItMetAndTheKnobThatRaisesIt() {
        p.send(1, Q, "a");
        p.send(1, R, "b");
        String memory = p.expectRefusal(p.send(1, Q, new Probe.Draft("c"))).text();
        assertThat(memory)
                .contains("no room for queue/q in memory", "of 2 (", "messaging.limits.messages-in-memory", "-Xmx")
                .doesNotContain(Long.toString(Long.MAX_VALUE), "quota", "bytes-maximum");
        String late = refusedAfterWaiting(Q);
        assertThat(late).contains("no room for queue/q, after 100 ms, in memory", "send-timeout");
        p = connected("limits.bytes-in-memory=1000");
        p.send(1, Q, "x".repeat(700));
        assertThat(p.expectRefusal(p.send(1, Q, new Probe.Draft("y".repeat(700))))
                        .text())
                .contains("of 1000 bytes", "messaging.limits.bytes-in-memory", "-XX:MaxDirectMemorySize")
                .doesNotContain(Long.toString(Long.MAX_VALUE), "quota");
        p = connected("quotas.own.messages-maximum=1", "queues.r.quota=own");
        p.send(1, R, "a");
        assertThat(p.expectRefusal(p.send(1, R, new Probe.Draft("b"))).text())
                .contains("in quota own, which holds 1 of 1 messages", "raise its messages-maximum")
                .doesNotContain(Long.toString(Long.MAX_VALUE), "in-memory");
        p = connected("quotas.own.bytes-maximum=1000", "queues.r.quota=own");
        p.send(1, R, "x".repeat(700));
        assertThat(p.expectRefusal(p.send(1, R, new Probe.Draft("y".repeat(700))))
                        .text())
                .contains("of 1000 bytes", "raise its bytes-maximum")
                .doesNotContain(Long.toString(Long.MAX_VALUE), "in-memory");
    }

    private String refusedAfterWaiting(DestinationName d) {
        int late = p.send(1, d, new Probe.Draft("late"), 100);
        bench.step(100);
        return p.expectRefusal(late).text();
    }

    @Test
    void roomThatComesFreeInOneQuotaWakesWhoWaitsInAnother() {
        p.send(1, Q, "a");
        p.send(1, Q, "b");
        int waiting = p.send(1, R, new Probe.Draft("c"), 1000);
        assertThat(p.ok(waiting)).isFalse();
        consumeOne(Q, 5);
        p.expectOk(waiting);
        assertThat(bench.quota("own").messages()).isEqualTo(1);
    }

    @Test
    void raisingItServesWhoWaits() {
        p.send(1, Q, "a");
        p.send(1, Q, "b");
        int waiting = p.send(1, R, new Probe.Draft("c"), 1000);
        bench.change("limits.messages-in-memory=3");
        p.expectOk(waiting);
    }

    @Test
    void bytesAreBoundedAndWhatCanNeverFitDoesNotWait() {
        p = connected("limits.bytes-in-memory=1000");
        p.send(1, Q, "x".repeat(700));
        p.expectRefusal(p.send(1, Q, new Probe.Draft("y".repeat(1000)), 1000));
        int waiting = p.send(1, Q, new Probe.Draft(""), 1000);
        p.expectOk(waiting);
        assertThat(bench.stats.value(BrokerStats.MEMORY_BYTES)).isBetween(700L, 1000L);
    }

    @Test
    void sendsThatWaitHoldNoMoreThanTheirPart() {
        p = connected("limits.bytes-in-memory=4000", "jms-server.messages-maximum=1");
        p.send(1, Q, "a");
        int first = p.send(1, Q, new Probe.Draft("x".repeat(300)), 1000);
        assertThat(p.ok(first)).isFalse();
        p.expectRefusal(p.send(1, Q, new Probe.Draft("y".repeat(300)), 1000));
        consumeOne(Q, 5);
        p.expectOk(first);
        int next = p.send(1, Q, new Probe.Draft("z".repeat(300)), 1000);
        assertThat(p.ok(next)).as("what waited gave its part back").isFalse();
        bench.step(1000);
        p.expectRefusal(next);
    }

    @Test
    void aMessageThatStaysDoesNotKeepAMuchLargerBuffer() {
        ByteBuf read = PooledByteBufAllocator.DEFAULT.directBuffer(256 << 10, 256 << 10);
        Probe.block(read, new Probe.Draft("x".repeat(Message.LARGE)));
        int size = read.readableBytes();
        Message m = new Message(read.readRetainedSlice(size), new MessageView().wrap(read.slice(0, size)), 0);
        m.settleDown();
        assertThat(read.refCnt()).as("the message has let go of it").isEqualTo(1);
        assertThat(m.block().readableBytes()).isEqualTo(size);
        read.release();
        m.discard();
    }
}
