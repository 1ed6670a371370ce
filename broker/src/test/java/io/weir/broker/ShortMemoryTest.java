package io.weir.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.broker.admin.BrokerAdmin;
import io.weir.jms.frames.DestinationName;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Direct memory ends while messages are moved. */
class ShortMemoryTest {
    private static final DestinationName Q = Bench.queue("q");
    private static final DestinationName ERRORS = Bench.queue("errors");

    private final StoredBench stored = new StoredBench("queues.errors.jndi-name=");

    @AfterEach
    void close() {
        stored.close();
    }

    private BrokerAdmin.Done move() {
        CompletableFuture<BrokerAdmin.Done> done =
                stored.bench.admin().move("queue/q", "queue/errors", null, Long.MAX_VALUE, Duration.ofDays(1));
        stored.write();
        assertThat(done).as("the move is answered").isDone();
        return done.join();
    }

    @Test
    void whatCannotBeCopiedStaysAndIsMovedWhenThereIsMemoryAgain() {
        EndingMemory memory = new EndingMemory();
        Probe p = stored.client(0);
        p.memory = memory;
        stored.send(p, Q, "a", "b", "c");
        int held = memory.held;
        // a copy takes a reservation, and another as soon as its length is known; what is stored of each takes one more
        for (int reservations = 0; reservations < 9; reservations++) {
            memory.left = reservations;
            BrokerAdmin.Done refused = move();
            assertThat(refused.count()).isZero();
            assertThat(refused.stopped()).hasMessageContainingAll("memory is too short", EndingMemory.ENDED);
            assertThat(stored.bench.q().available().count())
                    .as("are there for consumers")
                    .isEqualTo(3);
            assertThat(memory.held)
                    .as("buffers, where memory ended after " + reservations)
                    .isEqualTo(held);
        }
        memory.left = Integer.MAX_VALUE;
        assertThat(move().count()).isEqualTo(3);
        assertThat(stored.drain(ERRORS)).containsExactly("a", "b", "c");
    }
}
