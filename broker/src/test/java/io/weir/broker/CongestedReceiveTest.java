package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jms.frames.DestinationName;
import io.weir.jms.frames.FrameType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who asks for what is there, while the connection is full of what another session of it was sent. */
class CongestedReceiveTest {
    private static final DestinationName Q = Bench.queue("q");

    private final Bench bench = new Bench();
    private final Probe p = bench.client();

    @AfterEach
    void close() {
        bench.close();
    }

    private int askedWhileFull() {
        p.session(1, Probe.AUTO);
        p.consumer(1, 5, Q);
        p.send(1, Q, "m");
        p.wire.writable = false;
        return p.receive(1, 5, 0);
    }

    private void reads() {
        p.wire.writable = true;
        bench.loops.loops.getFirst().on(() -> p.connection.writable(true));
        bench.loops.settle();
    }

    @Test
    void whatIsThereIsGivenWhenTheClientReads() {
        int asked = askedWhileFull();
        assertThat(p.received(asked)).as("there is one").isEqualTo(-1);
        reads();
        assertThat(p.received(asked)).isEqualTo(1);
        assertThat(p.bodies()).containsExactly("m");
        p.wire.writable = false;
        assertThat(p.received(p.receive(1, 5, 0))).as("there is none").isZero();
    }

    @Test
    void whoseTimeIsOverMeanwhileGetsIt() {
        askedWhileFull();
        int asked = p.receive(1, 5, 1000);
        bench.step(1001);
        assertThat(p.received(asked)).isEqualTo(-1);
        reads();
        assertThat(p.received(asked)).isEqualTo(1);
    }

    @Test
    void whatIsThereForAnotherIsNothing() {
        int asked = askedWhileFull();
        Probe other = bench.client();
        other.session(1, Probe.AUTO);
        other.consumer(1, 5, Q);
        assertThat(other.received(other.receive(1, 5, 0))).isEqualTo(1);
        reads();
        assertThat(p.received(asked)).isZero();
    }

    @Test
    void whoStopsTheConnectionIsAnswered() {
        int asked = askedWhileFull();
        p.expectOk(p.plain(FrameType.CONNECTION_STOP, 0));
        assertThat(p.received(asked)).isZero();
    }
}
