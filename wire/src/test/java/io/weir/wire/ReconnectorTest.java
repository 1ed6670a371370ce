package io.weir.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.SteppedClock;
import io.weir.wire.WireFault.Reason;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Reconnecting, with attempts and time played by the test. */
final class ReconnectorTest {
    private static final Reconnector.Target TARGET =
            new Reconnector.Target(List.of(), Credentials.NONE, ClientOptions.DEFAULT);

    private final SteppedClock clock = new SteppedClock(0);
    private final Deque<CompletableFuture<WireConnection>> attempts = new ArrayDeque<>();
    private final List<Long> waits = new ArrayList<>();
    private final Deque<Runnable> later = new ArrayDeque<>();

    private Reconnector reconnector(BackOff backOff) {
        return new Reconnector(
                (_, _) -> {
                    CompletableFuture<WireConnection> attempt = new CompletableFuture<>();
                    attempts.add(attempt);
                    return attempt;
                },
                (action, nanos) -> {
                    waits.add(nanos);
                    later.add(() -> {
                        clock.step(Duration.ofNanos(nanos));
                        action.run();
                    });
                },
                TARGET,
                backOff,
                clock,
                Chance.seeded(42));
    }

    private void fail(Throwable cause) {
        attempts.remove().completeExceptionally(cause);
    }

    @Test
    void waitsDoubleUpToTheirLimitLessUpToHalf() {
        Reconnector r = reconnector(new BackOff(Duration.ofMillis(100), Duration.ofSeconds(1), Duration.ofMillis(-1)));
        CompletableFuture<WireConnection> result = r.connect(Recorder::new);
        for (int i = 0; i < 8; i++) {
            fail(new IOException("provoked"));
            long full = Math.min(100_000_000L << i, 1_000_000_000L);
            assertThat(waits.getLast()).isBetween(full / 2, full);
            later.remove().run();
        }
        assertThat(result).isNotDone();
        assertThat(waits.subList(4, 8)).doesNotHaveDuplicates();
    }

    @Test
    void itGivesUpWhenTheTimeIsOver() {
        Reconnector r = reconnector(new BackOff(Duration.ofMillis(100), Duration.ofSeconds(1), Duration.ofMillis(300)));
        CompletableFuture<WireConnection> result = r.connect(Recorder::new);
        for (int i = 0; !result.isDone(); i++) {
            assertThat(i).isLessThan(7);
            fail(new IOException("attempt " + i));
            if (!later.isEmpty()) {
                later.remove().run();
            }
        }
        assertThat(result).isCompletedExceptionally();
        assertThat(clock.nanos()).isLessThanOrEqualTo(300_000_000);
    }

    @Test
    void aWrongPasswordIsNotTriedAgain() {
        CompletableFuture<WireConnection> result = reconnector(BackOff.DEFAULT).connect(Recorder::new);
        fail(new WireFault(Reason.AUTHENTICATION, "wrong"));
        assertThat(result).isCompletedExceptionally();
        assertThat(later).isEmpty();
    }

    @Test
    void aStormsRefusalIsTriedAgain() {
        CompletableFuture<WireConnection> result = reconnector(BackOff.DEFAULT).connect(Recorder::new);
        fail(new WireFault(Reason.LOGIN_STORM, "later"));
        assertThat(result).isNotDone();
        assertThat(later).hasSize(1);
    }

    @Test
    void stoppingCancelsTheAttemptUnderWay() {
        Reconnector r = reconnector(BackOff.DEFAULT);
        CompletableFuture<WireConnection> result = r.connect(Recorder::new);
        r.stop(null);
        assertThat(result).isCompletedExceptionally();
        assertThat(attempts.remove()).isCancelled();
    }
}
