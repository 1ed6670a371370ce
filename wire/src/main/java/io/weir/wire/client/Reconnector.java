package io.weir.wire.client;

import io.weir.base.Chance;
import io.weir.base.Clock;
import io.weir.wire.FrameHandler;
import io.weir.wire.LostConnection;
import io.weir.wire.WireConnection;
import io.weir.wire.WireFault;
import io.weir.wire.login.Credentials;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reconnects repeatedly, according to a {@link BackOff}, until it succeeds, the time limit is exceeded or the server
 * refuses permanently (a wrong password). An attempt succeeds when the connection is logged in and everything is
 * restored on it: back-off and time limit cover both. Lives for one loss of a connection. Its steps run sequentially;
 * {@link #stop} is callable from any thread.
 */
public final class Reconnector {
    /**
     * The servers, credentials and options.
     *
     * @param addresses tried in this order in each attempt
     */
    public record Target(List<WireUrl.Address> addresses, Credentials credentials, ClientOptions options) {
        /** Copies the list of addresses. */
        public Target {
            addresses = List.copyOf(addresses);
        }
    }

    /**
     * Restores on a new connection what was open on the lost one; called on the connection's loop. If it fails, the
     * attempt fails.
     */
    @FunctionalInterface
    public interface Restoring {
        /**
         * Restores what was open.
         *
         * @return completes when everything is open; exceptionally if the attempt has failed: a {@link WireFault} that
         * is not retryable ends all attempts
         */
        CompletionStage<?> restore(WireConnection connection);
    }

    /** Makes an attempt; tests replace a client's. */
    @FunctionalInterface
    interface Attempts {
        CompletableFuture<WireConnection> connect(Target target, Function<WireConnection, FrameHandler> service);
    }

    /** Schedules an action; the returned runnable cancels it. */
    @FunctionalInterface
    interface Later {
        Runnable run(Runnable action, long nanos);
    }

    private final Attempts attempts;
    private final Later later;
    private final Target target;
    private final BackOff backOff;
    private final Clock clock;
    private final Chance chance;
    private final CompletableFuture<WireConnection> result = new CompletableFuture<>();
    private long begun;
    private volatile @Nullable Throwable last;
    /** The current attempt, and its connection once it is logged in. */
    private volatile @Nullable CompletableFuture<WireConnection> trying;

    private volatile @Nullable WireConnection restoring;

    /**
     * Attempts through a client, which the caller must close.
     *
     * @param backOff the pauses between attempts, and their time limit
     */
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

    /**
     * Starts. Call once only.
     *
     * @param failed number of earlier failed attempts, which count for the pauses: with 0 the first attempt is
     * immediate
     * @return completes when a connection is restored; exceptionally with the last attempt's failure when the time
     * limit is exceeded
     */
    public CompletableFuture<WireConnection> connect(
            int failed, Function<WireConnection, FrameHandler> service, Restoring then) {
        begun = clock.nanos();
        var unusedEnd = result.whenComplete((unusedConnection, failure) -> ended(failure));
        if (!backOff.total().isNegative()) {
            Runnable cancel = later.run(this::timedOut, backOff.total().toNanos());
            var unusedCancel = result.whenComplete((unusedConnection, unusedFailure) -> cancel.run());
        }
        if (failed == 0) {
            attempt(0, service, then);
        } else {
            later.run(() -> attempt(failed, service, then), backOff.nanosBefore(failed, chance));
        }
        return result;
    }

    /** Stops; cancels the current attempt and closes its connection. */
    public void stop(@Nullable Throwable cause) {
        result.completeExceptionally(cause == null ? new LostConnection("reconnecting was abandoned") : cause);
    }

    /** The time limit is exceeded, whatever an attempt waits for. */
    private void timedOut() {
        Throwable why = last;
        stop(why == null ? new LostConnection("no response from the server within the time limit") : why);
    }

    private void ended(@Nullable Throwable failure) {
        CompletableFuture<WireConnection> attempt = trying;
        if (attempt != null) {
            attempt.cancel(false);
        }
        WireConnection connection = restoring;
        if (connection != null && failure != null) {
            connection.close();
        }
    }

    private void attempt(int n, Function<WireConnection, FrameHandler> service, Restoring then) {
        if (result.isDone()) {
            return;
        }
        CompletableFuture<WireConnection> attempt = attempts.connect(target, service);
        trying = attempt;
        var unused = attempt.thenCompose(connection -> restored(connection, then))
                .whenComplete((connection, failure) -> {
                    if (connection != null) {
                        succeeded(connection);
                    } else if (failure != null) {
                        failed(n, service, then, unwrapped(failure));
                    }
                });
        if (result.isDone()) {
            attempt.cancel(false);
        }
    }

    private CompletionStage<WireConnection> restored(WireConnection connection, Restoring then) {
        restoring = connection;
        if (result.isDone()) {
            connection.close();
        }
        return then.restore(connection).handle((unusedResult, failure) -> {
            if (failure != null) {
                connection.close();
                throw new CompletionException(unwrapped(failure));
            }
            return connection;
        });
    }

    private static Throwable unwrapped(Throwable failure) {
        return failure instanceof CompletionException e && e.getCause() != null ? e.getCause() : failure;
    }

    private void succeeded(WireConnection connection) {
        if (!result.complete(connection)) {
            connection.close();
        }
    }

    private void failed(int n, Function<WireConnection, FrameHandler> service, Restoring then, Throwable failure) {
        last = failure;
        long wait = backOff.nanosBefore(n + 1, chance);
        boolean over = !backOff.total().isNegative()
                && clock.nanos() - begun + wait > backOff.total().toNanos();
        if (over || (failure instanceof WireFault f && !f.reason().retryable())) {
            result.completeExceptionally(failure);
        } else {
            later.run(() -> attempt(n + 1, service, then), wait);
        }
    }
}
