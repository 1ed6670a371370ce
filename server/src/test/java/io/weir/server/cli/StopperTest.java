package io.weir.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a signal does before, while and after a process begins its work. */
final class StopperTest {
    private final List<String> done = new ArrayList<>();
    private final Stopper stopper = new Stopper(status -> done.add("halted with " + status));

    @Test
    void oneThatHasNotBegunEndsAtOnceAndNeverBegins() {
        stopper.idle();
        // nothing is decided, and will not be
        stopper.run();
        assertThat(done).containsExactly("halted with 0");
        assertThat(stopper.begin()).isFalse();
    }

    @Test
    void oneThatHasBegunIsDrainedOnceItsStartIsOver() throws InterruptedException {
        stopper.idle();
        assertThat(stopper.begin()).isTrue();
        assertThat(stopper.begin()).as("said again at its end").isTrue();
        Thread signal = Thread.ofVirtual().start(stopper);
        stopper.stop = () -> done.add("drained");
        stopper.decided.countDown();
        signal.join();
        assertThat(done).containsExactly("drained", "halted with 0");
    }

    @Test
    void startThatFailedExitsWithItsOwnStatus() {
        stopper.idle();
        assertThat(stopper.begin()).isTrue();
        stopper.decided.countDown();
        stopper.run();
        assertThat(done).isEmpty();
    }
}
