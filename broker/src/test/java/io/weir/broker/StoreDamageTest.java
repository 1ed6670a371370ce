package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.broker.report.BrokerMessages;
import io.weir.jms.frames.ClientFrames;
import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import io.weir.journal.damage.Damage;
import io.weir.journal.damage.Damages;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Damage of the store is told in the words of messaging, and takes nothing with it that is still there. */
class StoreDamageTest {
    private static final DestinationName Q = Bench.queue("q");
    private static final DestinationName T = Bench.topic("t");

    private final StoredBench stored = new StoredBench();

    @AfterEach
    void close() {
        stored.close();
    }

    private Damages damages() {
        return Objects.requireNonNull(stored.bench.admin().damages());
    }

    private Damage only() {
        List<Damage> open = damages().open();
        assertThat(open).hasSize(1);
        return open.getFirst();
    }

    private Probe subscriber() {
        Probe p = stored.client(0);
        p.expectOk(p.request(
                FrameType.SET_CLIENT_ID, 0, (r, b) -> new ClientFrames.SetClientId(r, true, "shop").write(b)));
        int flags = ClientFrames.OpenConsumer.DURABLE | ClientFrames.OpenConsumer.ASYNC;
        int request = p.open(1, 5, T, flags, null, "orders");
        stored.write();
        p.expectOk(request);
        return p;
    }

    @Test
    void aLostMessageIsNamedByIdentifierAndDestination() {
        Probe p = stored.client(0);
        stored.send(p, Q, "before", "xyzzy is lost", "behind");
        stored.disk.flip("xyzzy is lost");
        stored.restart();
        assertThat(only().lost())
                .hasSize(1)
                .first()
                .asString()
                .matches("entry \\d+: message \\S+ for queue/q.* is lost");
        assertThat(stored.drain(Q)).containsExactly("before", "behind");
        stored.restart();
        assertThat(damages().open()).as("told until it is acknowledged").hasSize(1);
    }

    @Test
    void messagesOfASubscriptionThatIsLostStayUntilThatIsAcknowledged() throws IOException {
        subscriber().lose();
        Probe p = stored.client(0);
        stored.send(p, T, "one", "two");
        // it stands in the subscription's record only
        stored.disk.flip("orders");
        stored.restart();
        assertThat(only().lost())
                .hasSize(1)
                .first()
                .asString()
                .contains("subscription nrders of client shop to topic/t is lost");
        assertThat(stored.bench.log.count(BrokerMessages.ORPHANS_KEPT)).isEqualTo(1);
        stored.restart();
        assertThat(stored.bench.log.count(BrokerMessages.ORPHANS_KEPT))
                .as("they are still there")
                .isEqualTo(1);
        assertThat(damages().acknowledge(only().number(), "anna")).isEqualTo(1);
        stored.restart();
        assertThat(damages().open()).isEmpty();
        assertThat(stored.bench.log.count(BrokerMessages.ORPHANS)).isEqualTo(1);
        stored.restart();
        assertThat(stored.bench.log.count(BrokerMessages.ORPHANS)).as("removed").isZero();
    }
}
