package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.jms.frames.DestinationName;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who asks for what is not there is told so, however busy others keep the queue. */
class SelectiveReceiveTest {
    private static final DestinationName Q = Bench.queue("q");

    private final StoredBench stored = new StoredBench();

    @AfterEach
    void close() {
        stored.close();
    }

    @Test
    void whoseMessageIsNotThereIsToldSoWhileAnotherIsKeptBusy() {
        Probe sender = stored.client(0);
        for (int i = 0; i < 60; i++) {
            stored.send(sender, Q, "m" + i);
        }
        Probe other = stored.client(0);
        other.expectOk(other.open(1, 5, Q, 0, "color = 'red'", null));
        Probe busy = stored.bench.client(0, "user");
        busy.session(1, Probe.CLIENT, 4);
        busy.listen(1, 6, Q);
        int asked = other.receive(1, 5, 0);
        int rounds = 0;
        List<String> got = new ArrayList<>();
        while (other.received(asked) < 0 && rounds < 50) {
            rounds++;
            // its window opens again while the next batch is marked
            busy.credit(1, 1, 1000);
            stored.write(1);
            got.addAll(busy.bodies());
        }
        assertThat(rounds).as("looks until it was told; the other got " + got).isLessThan(3);
    }
}
