package io.weir.wire.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.base.Chance;
import io.weir.base.SteppedClock;
import io.weir.wire.Recorder;
import io.weir.wire.WireConnection;
import io.weir.wire.WireFault;
import io.weir.wire.WireFault.Reason;
import io.weir.wire.login.Credentials;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Reconnecting, with attempts and time played by the test. */
final class ReconnectorTest {
    private static final Reconnector.Target TARGET =
            new Reconnector.Target(List.of(), Credentials.NONE, ClientOptions.DEFAULT);

    private final SteppedClock clock = new SteppedClock(0);
    private final Deque<CompletableFuture<WireConnection>> attempts = new ArrayDeque<>();
    private final List<Long> waits = new ArrayList<>();
    private final Deque<Runnable> later = new ArrayDeque<>();
    private Runnable deadline = () -> {};
    /** What is opened on a connection that was made. */
    private Supplier<CompletableFuture<Void>> restored = () -> CompletableFuture.completedFuture(null);

    private Reconnector reconnector(BackOff backOff) {
        return new Reconnector(
                (_, _) -> {
                    CompletableFuture<WireConnection> attempt = new CompletableFuture<>();
                    attempts.add(attempt);
                    return attempt;
                },
                (action, nanos) -> {
                    if (nanos == backOff.total().toNanos()) {
                        deadline = action;
                        return () -> deadline = () -> {};
                    }
                    waits.add(nanos);
                    later.add(() -> {
                        clock.step(Duration.ofNanos(nanos));
                        action.run();
                    });
                    return () -> {};
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
        CompletableFuture<WireConnection> result = r.connect(0, Recorder::new, _ -> restored.get());
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
        CompletableFuture<WireConnection> result = r.connect(0, Recorder::new, _ -> restored.get());
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
        CompletableFuture<WireConnection> result =
                reconnector(BackOff.DEFAULT).connect(0, Recorder::new, _ -> restored.get());
        fail(new WireFault(Reason.AUTHENTICATION, "wrong"));
        assertThat(result).isCompletedExceptionally();
        assertThat(later).isEmpty();
    }

    @Test
    void aStormsRefusalIsTriedAgain() {
        CompletableFuture<WireConnection> result =
                reconnector(BackOff.DEFAULT).connect(0, Recorder::new, _ -> restored.get());
        fail(new WireFault(Reason.LOGIN_STORM, "later"));
        assertThat(result).isNotDone();
        assertThat(later).hasSize(1);
    }

    private WireConnection made() {
        WireConnection connection = connection();
        attempts.remove().complete(connection);
        return connection;
    }

    /** A connection that can be closed, and nothing else. */
    private static WireConnection connection() {
        AtomicBoolean open = new AtomicBoolean(true);
        return (WireConnection) Proxy.newProxyInstance(
                ReconnectorTest.class.getClassLoader(),
                new Class<?>[] {WireConnection.class},
                (self, method, arguments) -> switch (method.getName()) {
                    case "isOpen" -> open.get();
                    case "close" -> {
                        open.set(false);
                        yield null;
                    }
                    case "hashCode" -> System.identityHashCode(self);
                    case "equals" -> System.identityHashCode(self) == System.identityHashCode(arguments[0]);
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    @Test
    void aConnectionOnWhichNothingCanBeOpenedIsOneFailedAttemptAmongOthers() {
        CompletableFuture<WireConnection> result =
                reconnector(BackOff.DEFAULT).connect(0, Recorder::new, _ -> restored.get());
        fail(new IOException("nobody there"));
        restored = () -> CompletableFuture.failedFuture(new IllegalStateException("refused"));
        for (int i = 1; i < 5; i++) {
            later.remove().run();
            assertThat(made().isOpen()).isFalse();
            assertThat(waits.getLast()).isBetween(50_000_000L << i, 100_000_000L << i);
        }
        restored = () -> CompletableFuture.completedFuture(null);
        later.remove().run();
        WireConnection good = made();
        assertThat(result).isCompletedWithValue(good);
        assertThat(good.isOpen()).isTrue();
    }

    @Test
    void theTimeEndsWhatNeverEnds() {
        Reconnector r = reconnector(new BackOff(Duration.ofMillis(100), Duration.ofSeconds(1), Duration.ofMillis(300)));
        restored = CompletableFuture::new;
        CompletableFuture<WireConnection> result = r.connect(0, Recorder::new, _ -> restored.get());
        WireConnection waiting = made();
        assertThat(result).isNotDone();
        deadline.run();
        assertThat(result).isCompletedExceptionally();
        assertThat(waiting.isOpen()).isFalse();
    }

    @Test
    void theTimeGivesTheReasonThatWasHeardLast() {
        Reconnector r = reconnector(new BackOff(Duration.ofMillis(100), Duration.ofSeconds(1), Duration.ofMillis(300)));
        CompletableFuture<WireConnection> result = r.connect(0, Recorder::new, _ -> restored.get());
        fail(new IOException("the reason"));
        later.remove().run();
        deadline.run();
        assertThat(result).failsWithin(Duration.ZERO).withThrowableThat().withMessageContaining("the reason");
    }

    @Test
    void attemptsThatFailedBeforeCountForThePauses() {
        CompletableFuture<WireConnection> result =
                reconnector(BackOff.DEFAULT).connect(3, Recorder::new, _ -> restored.get());
        assertThat(attempts).isEmpty();
        assertThat(waits.getLast()).isBetween(200_000_000L, 400_000_000L);
        later.remove().run();
        assertThat(attempts).hasSize(1);
        assertThat(result).isNotDone();
    }

    @Test
    void stoppingClosesWhatIsBeingRestored() {
        Reconnector r = reconnector(BackOff.DEFAULT);
        restored = CompletableFuture::new;
        CompletableFuture<WireConnection> result = r.connect(0, Recorder::new, _ -> restored.get());
        WireConnection waiting = made();
        r.stop(null);
        assertThat(result).isCompletedExceptionally();
        assertThat(waiting.isOpen()).isFalse();
    }

    @Test
    void stoppingCancelsTheAttemptUnderWay() {
        Reconnector r = reconnector(BackOff.DEFAULT);
        CompletableFuture<WireConnection> result = r.connect(0, Recorder::new, _ -> restored.get());
        r.stop(null);
        assertThat(result).isCompletedExceptionally();
        assertThat(attempts.remove()).isCancelled();
    }
}
