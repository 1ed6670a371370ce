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
 * Connects again and again, by a {@link BackOff}, until it succeeds, the time is over or the server refuses for good (a
 * wrong password). An attempt succeeds when the connection is logged in and what is to be opened on it is open: one
 * back-off and one time hold for all of it. Lives for one loss of a connection. Its steps follow one another; {@link
 * #stop} may come from any thread.
 */
public final class Reconnector {
    /**
     * Where, who and how to connect.
     *
     * @param addresses tried in this order in each attempt
     */
    public record Target(List<WireUrl.Address> addresses, Credentials credentials, ClientOptions options) {
        /** Keeps a copy of the addresses. */
        public Target {
            addresses = List.copyOf(addresses);
        }
    }

    /**
     * Opens on a new connection what was open on the lost one; on the connection's loop. The attempt fails if it does.
     */
    @FunctionalInterface
    public interface Restoring {
        /**
         * Opens what was open.
         *
         * @return completes when all of it is open; exceptionally, and the attempt has failed: a {@link WireFault} that
         *     is not retryable ends them all
         */
        CompletionStage<?> restore(WireConnection connection);
    }

    /** How an attempt is made; a test puts its own in place of a client's. */
    @FunctionalInterface
    interface Attempts {
        CompletableFuture<WireConnection> connect(Target target, Function<WireConnection, FrameHandler> service);
    }

    /** How to wait; what it returns cancels. */
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
    /** The attempt that is under way, and its connection once it is logged in. */
    private volatile @Nullable CompletableFuture<WireConnection> trying;

    private volatile @Nullable WireConnection restoring;

    /**
     * Attempts over a client, which stays the caller's to close.
     *
     * @param backOff the pauses between attempts, and the time over which they are made
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
     * Begins. Once only.
     *
     * @param failed attempts that failed before these and count for the pauses: with 0 the first is made at once
     * @return completes when a connection is restored; exceptionally with the last attempt's failure when its time is
     * over
     */
    public CompletableFuture<WireConnection> connect(
            int failed, Function<WireConnection, FrameHandler> service, Restoring then) {
        begun = clock.nanos();
        var _ = result.whenComplete((_, failure) -> ended(failure));
        if (!backOff.total().isNegative()) {
            Runnable cancel = later.run(this::over, backOff.total().toNanos());
            var _ = result.whenComplete((_, _) -> cancel.run());
        }
        if (failed == 0) {
            attempt(0, service, then);
        } else {
            later.run(() -> attempt(failed, service, then), backOff.nanosBefore(failed, chance));
        }
        return result;
    }

    /** Gives up; an attempt that is under way is ended, its connection closed. */
    public void stop(@Nullable Throwable cause) {
        result.completeExceptionally(cause == null ? new LostConnection("reconnecting was abandoned") : cause);
    }

    /** The time is over, whatever an attempt waits for. */
    private void over() {
        Throwable why = last;
        stop(why == null ? new LostConnection("nothing was heard of the server in time") : why);
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
        var _ = attempt.thenCompose(connection -> restored(connection, then)).whenComplete((connection, failure) -> {
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
        return then.restore(connection).handle((_, failure) -> {
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
