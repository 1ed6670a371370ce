package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.broker.admin.BrokerAdmin;
import io.weir.jms.frames.ClientFrames;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a moved message says of where it was is as long as the names are. */
class LongNamesMoveTest {
    private static final DestinationName T = Bench.topic("t");

    private final StoredBench stored = new StoredBench();

    @AfterEach
    void close() {
        stored.close();
    }

    @Test
    void messagesOfASubscriptionWithALongNameAreMoved() {
        String id = "i".repeat(250);
        String name = "n".repeat(250);
        Probe p = stored.client(0);
        p.expectOk(
                p.request(FrameType.SET_CLIENT_ID, 0, (r, b) -> new ClientFrames.SetClientId(r, false, id).write(b)));
        int open = p.open(1, 5, T, ClientFrames.OpenConsumer.DURABLE, null, name);
        stored.write();
        p.expectOk(open);
        p.lose();
        Probe s = stored.client(0);
        for (int i = 0; i < 60; i++) {
            stored.send(s, T, "m" + i);
        }
        CompletableFuture<BrokerAdmin.Done> done = stored.bench
                .admin()
                .move("topic/t#" + id + "." + name, "queue/q", null, Long.MAX_VALUE, Duration.ofDays(1));
        stored.write();
        assertThat(String.valueOf(done.join())).contains("count=60");
    }

    /** Each copy names the subscriptions that it is for: that counts in what the journal takes at once, too. */
    @Test
    void messagesAreMovedToManySubscriptionsInGroupsThatTheJournalTakes() {
        Probe p = stored.client(0);
        p.expectOk(p.request(
                FrameType.SET_CLIENT_ID, 0, (r, b) -> new ClientFrames.SetClientId(r, false, "client").write(b)));
        for (int i = 0; i < 200; i++) {
            int open = p.open(1, 5 + i, T, ClientFrames.OpenConsumer.DURABLE, null, "s" + i);
            stored.write();
            p.expectOk(open);
        }
        p.lose();
        Probe s = stored.client(0);
        for (int i = 0; i < 60; i++) {
            stored.send(s, Bench.queue("q"), "m" + i);
        }
        CompletableFuture<BrokerAdmin.Done> done =
                stored.bench.admin().move("queue/q", "topic/t", null, Long.MAX_VALUE, Duration.ofDays(1));
        stored.write();
        assertThat(done).isDone();
        assertThat(done.join()).isEqualTo(new BrokerAdmin.Done(60, true, null));
    }
}
