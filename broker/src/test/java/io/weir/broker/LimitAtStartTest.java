package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.broker.report.BrokerMessages;
import io.weir.broker.report.BrokerStats;
import io.weir.jms.frames.ClientFrames;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A start finds more messages of a subscription than it may hold: some were at its consumer. */
class LimitAtStartTest {
    private static final DestinationName T = Bench.topic("t");

    private final StoredBench stored = new StoredBench("topics.t.messages-limit=2");

    @AfterEach
    void close() {
        stored.close();
    }

    private Probe subscriber() {
        Probe p = stored.client(0);
        p.expectOk(p.request(
                FrameType.SET_CLIENT_ID, 0, (r, b) -> new ClientFrames.SetClientId(r, false, "client").write(b)));
        int open = p.open(1, 5, T, ClientFrames.OpenConsumer.DURABLE | ClientFrames.OpenConsumer.ASYNC, null, "all");
        stored.write();
        p.expectOk(open);
        return p;
    }

    @Test
    void theNewestAreThereAfterTheStart() {
        Probe p = subscriber();
        stored.send(stored.client(0), T, "a", "b", "c", "d");
        assertThat(p.bodies()).containsExactly("a", "b", "c", "d");
        stored.eager = true;
        stored.restart();
        assertThat(subscriber().bodies()).containsExactly("c", "d");
        assertThat(stored.bench.log.count(BrokerMessages.ENGINE_ERROR)).isZero();
        assertThat(overrun()).as("given up").isEqualTo(2);
        stored.restart();
        assertThat(overrun()).as("given up and found again").isZero();
        assertThat(subscriber().bodies()).containsExactly("c", "d");
    }

    private long overrun() {
        return stored.bench.stats.value(BrokerStats.OVERRUN, "topic/t");
    }
}
