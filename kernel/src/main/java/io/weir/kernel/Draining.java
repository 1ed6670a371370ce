package io.weir.kernel;

import io.weir.base.Counter;
import io.weir.kernel.connection.ClientSessions;
import io.weir.kernel.connection.Connection;
import io.weir.kernel.connection.Intake;
import io.weir.kernel.listen.ListenParts;
import io.weir.kernel.listen.Listener;
import io.weir.kernel.listen.ListenerProtocol;
import io.weir.kernel.mux.Muxer;
import io.weir.kernel.mux.Muxers;
import io.weir.kernel.settings.KernelContext;
import io.weir.kernel.settings.KernelStats;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Ends a kernel's connections while their requests are finished: all of them, those that another process takes over, or
 * those of one listener. Shared; lives as long as its kernel.
 */
final class Draining implements ListenParts.Leaving {
    private final KernelContext kernel;
    private final Muxers muxers;
    private final ClientSessions sessions;
    private final Intake intake;
    private final Runnable stopAccepting;
    private final Counter resets;
    private final AtomicReference<@Nullable Drain> drain = new AtomicReference<>();

    /**
     * Creates it.
     *
     * @param stopAccepting closes the listeners, and stops keeping connections for another request
     */
    Draining(KernelContext kernel, Muxers muxers, ClientSessions sessions, Intake intake, Runnable stopAccepting) {
        this.kernel = kernel;
        this.muxers = muxers;
        this.sessions = sessions;
        this.intake = intake;
        this.stopAccepting = stopAccepting;
        this.resets = kernel.stats().counter(KernelStats.DRAIN_RESET);
    }

    /** See {@link Kernel#drain}. */
    CompletableFuture<DrainReport> drain(Duration timeOut) {
        Drain mine = new Drain(kernel, muxers, sessions, intake::open, resets);
        if (!drain.compareAndSet(null, mine)) {
            Drain running = drain.get();
            return running == null ? mine.report() : running.report();
        }
        intake.closing(mine::check);
        stopAccepting.run();
        mine.start(timeOut);
        return mine.report();
    }

    /** See {@link Kernel#retire}. */
    CompletableFuture<DrainReport> retire(Duration grace, Duration timeOut) {
        // connections already accepted are still served: only after the listeners are closed are new ones dropped
        stopAccepting.run();
        CompletableFuture<@Nullable Void> empty = new CompletableFuture<>();
        intake.closing(() -> empty.complete(null));
        if (intake.open() == 0) {
            empty.complete(null);
        }
        for (Muxer m : muxers.all()) {
            m.eventLoop().execute(() -> leave(m));
        }
        return empty.completeOnTimeout(null, grace.toMillis(), TimeUnit.MILLISECONDS)
                .thenCompose(_ -> drain(timeOut));
    }

    private void leave(Muxer m) {
        for (Connection c : sessions.all()) {
            if (c.muxer() == m) {
                leave(c);
            }
        }
    }

    /** Other caches find another way at once: their idle connections delay nothing. */
    private static void leave(Connection c) {
        if (c.listener().config().protocol() == ListenerProtocol.CACHE) {
            var _ = c.drain();
        } else {
            var _ = c.leave();
        }
    }

    @Override
    public void drain(Listener listener, Duration timeOut, Consumer<Listener> gone) {
        new ListenerDrain(kernel, muxers, sessions, resets, listener, gone).start(timeOut);
    }
}
