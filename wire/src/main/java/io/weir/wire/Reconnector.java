package io.weir.wire;

import io.weir.base.Chance;
import io.weir.base.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Connects again and again, by a {@link BackOff}, until it succeeds, the time is over or the server refuses for good (a
 * wrong password). Lives for one loss of a connection. Its steps follow one another; {@link #stop} may come from any
 * thread.
 */
public final class Reconnector {
    /** Where, who and how to connect. */
    public record Target(List<WireUrl.Address> addresses, Credentials credentials, ClientOptions options) {
        public Target {
            addresses = List.copyOf(addresses);
        }
    }

    /** How an attempt is made; a test puts its own in place of a client's. */
    @FunctionalInterface
    interface Attempts {
        CompletableFuture<WireConnection> connect(Target target, Function<WireConnection, FrameHandler> service);
    }

    /** How to wait. */
    @FunctionalInterface
    interface Later {
        void run(Runnable action, long nanos);
    }

    private final Attempts attempts;
    private final Later later;
    private final Target target;
    private final BackOff backOff;
    private final Clock clock;
    private final Chance chance;
    private final CompletableFuture<WireConnection> result = new CompletableFuture<>();
    private long begun;

    public Reconnector(WireClient client, Target target, BackOff backOff, Clock clock, Chance chance) {
        this(
                (t, service) -> client.connect(t.addresses(), t.credentials(), t.options(), service),
                client::later,
                target,
                backOff,
                clock,
                chance);
    }

    Reconnector(Attempts attempts, Later later, Target target, BackOff backOff, Clock clock, Chance chance) {
        this.attempts = attempts;
        this.later = later;
        this.target = target;
        this.backOff = backOff;
        this.clock = clock;
        this.chance = chance;
    }

    /** Begins; completes as {@link WireClient#connect} does, with the last attempt's failure when it gives up. Once only. */
    public CompletableFuture<WireConnection> connect(Function<WireConnection, FrameHandler> service) {
        begun = clock.nanos();
        attempt(0, service);
        return result;
    }

    /** Gives up; an attempt that is under way is closed when it succeeds. */
    public void stop(@Nullable Throwable cause) {
        result.completeExceptionally(cause == null ? new LostConnection("reconnecting was given up") : cause);
    }

    private void attempt(int n, Function<WireConnection, FrameHandler> service) {
        if (result.isDone()) {
            return;
        }
        CompletableFuture<WireConnection> trying = attempts.connect(target, service);
        var _ = trying.whenComplete((connection, failure) -> {
            if (connection != null) {
                succeeded(connection);
            } else if (failure != null) {
                failed(
                        n,
                        service,
                        failure instanceof CompletionException e && e.getCause() != null ? e.getCause() : failure);
            }
        });
        var _ = result.whenComplete((_, _) -> trying.cancel(false));
    }

    private void succeeded(WireConnection connection) {
        if (!result.complete(connection)) {
            connection.close();
        }
    }

    private void failed(int n, Function<WireConnection, FrameHandler> service, Throwable failure) {
        long wait = backOff.nanosBefore(n + 1, chance);
        boolean over = !backOff.total().isNegative()
                && clock.nanos() - begun + wait > backOff.total().toNanos();
        if (over || (failure instanceof WireFault f && !f.reason().retryable())) {
            result.completeExceptionally(failure);
        } else {
            later.run(() -> attempt(n + 1, service), wait);
        }
    }
}
