package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.RefusalCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Persistent messages where there is no store; with one they are tested through the client. */
class StoreTest {
    private static final DestinationName Q = Bench.queue("q");
    private final Bench bench = new Bench();
    private final Probe p = bench.client();

    StoreTest() {
        p.session(1, Probe.AUTO);
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void withoutAStorePersistentMessagesAreRefused() {
        var refused = p.expectRefusal(p.send(1, Q, new Probe.Draft("m").persistent()));
        assertThat(refused.code()).isEqualTo(RefusalCode.STORE);
        assertThat(refused.text()).contains("store-enabled");
        assertThat(bench.quota("server").messages()).isZero();
    }

    @Test
    void orKeptInMemoryWhereTheDowngradeIsAllowed() {
        bench.change("jms-server.allows-persistent-downgrade=on");
        p.expectOk(p.send(1, Q, new Probe.Draft("m").persistent()));
        assertThat(bench.q().available().count()).isEqualTo(1);
    }

    @Test
    void aDestinationMayOverrideTheDeliveryMode() {
        bench.change("queues.q.overrides.delivery-mode=Non-Persistent");
        p.expectOk(p.send(1, Q, new Probe.Draft("m").persistent()));
        bench.change("queues.q.overrides.delivery-mode=Persistent");
        p.expectRefusal(p.send(1, Q, new Probe.Draft("m")));
    }
}
