package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jms.frames.DestinationName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who asks for what is there, while messages of others are being marked in the store. */
class MarkedReceiveTest {
    private static final DestinationName Q = Bench.queue("q");

    private final StoredBench stored = new StoredBench();

    @AfterEach
    void close() {
        stored.close();
    }

    private Probe consumer() {
        Probe p = stored.client(0);
        p.consumer(1, 5, Q);
        return p;
    }

    @Test
    void whatIsThereIsGivenAlsoWhileAnothersMessageIsMarked() {
        stored.send(stored.client(0), Q, "a", "b");
        Probe one = consumer();
        Probe other = consumer();
        int first = one.receive(1, 5, 0);
        int second = other.receive(1, 5, 0);
        assertThat(other.received(second)).as("there is one").isEqualTo(-1);
        stored.write();
        assertThat(one.received(first)).isEqualTo(1);
        assertThat(other.received(second)).isEqualTo(1);
        assertThat(one.bodies()).containsExactly("a");
        assertThat(other.bodies()).containsExactly("b");
    }

    @Test
    void whatWasMarkedForOneThatIsGoneIsGivenToWhoAsks() {
        stored.send(stored.client(0), Q, "a", "b");
        Probe one = consumer();
        one.receive(1, 5, 0);
        one.lose();
        Probe other = consumer();
        int asked = other.receive(1, 5, 0);
        stored.write();
        assertThat(other.received(asked)).isEqualTo(1);
    }

    @Test
    void nothingIsSaidAtOnceWhereAllIsBeingMarkedForAnother() {
        stored.send(stored.client(0), Q, "a");
        Probe one = consumer();
        Probe other = consumer();
        one.receive(1, 5, 0);
        assertThat(other.received(other.receive(1, 5, 0))).isZero();
    }
}
