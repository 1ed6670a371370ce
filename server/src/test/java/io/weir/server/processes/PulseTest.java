package io.weir.server.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A worker that hangs is noticed in its time, and one that starts or has just become ready has more of it. */
class PulseTest {
    private static final Duration TIME_OUT = Duration.ofSeconds(5);

    /** At least so long has one that starts. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final FakeWorkers all = new FakeWorkers(1);
    private final List<Long> hung = new ArrayList<>();

    private FakeWorkers.Fake started() {
        new Pulse(all.main.eventLoop(), () -> TIME_OUT, all.crew.living(), w -> hung.add(w.pid())).start();
        all.crew.start();
        all.settle();
        all.step();
        return all.in(1);
    }

    private void wait(Duration by) {
        for (long i = 0; i < by.toSeconds() && hung.isEmpty(); i++) {
            all.step(Duration.ofSeconds(1));
        }
    }

    @Test
    void oneThatBecomesReadyKeepsThePatienceOfItsStartUntilItIsWell() {
        FakeWorkers.Fake worker = started();
        // it answers while it starts
        wait(TIME_OUT.multipliedBy(4));
        assertThat(hung).isEmpty();
        worker.hangs = true;
        all.step();
        assertThat(worker.serves).isTrue();
        wait(PATIENCE.minusSeconds(2));
        assertThat(hung).isEmpty();
        wait(TIME_OUT);
        assertThat(hung).containsExactly(worker.pid);
    }

    @Test
    void oneThatStartsAndNeverAnswersHasItsPatienceToo() {
        FakeWorkers.Fake worker = started();
        worker.hangs = true;
        wait(PATIENCE.minusSeconds(2));
        assertThat(hung).isEmpty();
        wait(TIME_OUT);
        assertThat(hung).containsExactly(worker.pid);
    }

    @Test
    void oneThatWasWellHangsAfterTheTimeOut() {
        FakeWorkers.Fake worker = started();
        all.step();
        wait(TIME_OUT);
        worker.hangs = true;
        wait(TIME_OUT.minusSeconds(1));
        assertThat(hung).isEmpty();
        wait(Duration.ofSeconds(2));
        assertThat(hung).containsExactly(worker.pid);
    }
}
