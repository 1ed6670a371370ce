package io.weir.kernel;

import io.weir.base.Counter;
import io.weir.kernel.connection.ClientSessions;
import io.weir.kernel.connection.Connection;
import io.weir.kernel.listen.Listener;
import io.weir.kernel.mux.Deadline;
import io.weir.kernel.mux.Muxer;
import io.weir.kernel.mux.Muxers;
import io.weir.kernel.settings.KernelContext;
import io.weir.kernel.settings.KernelMessages;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Drains a listener that was removed while the server runs: its connections' next responses say close. Idle clients are
 * closed after half of the time-out, so that no request is lost to a connection that is closed while the request is in
 * flight, unless its client was idle that long. Shared; used once.
 */
final class ListenerDrain {
    private final KernelContext kernel;
    private final Muxers muxers;
    private final ClientSessions sessions;
    private final Counter resets;
    private final Listener listener;
    private final Consumer<Listener> gone;
    private final int open;
    private final AtomicInteger reset = new AtomicInteger();
    private final AtomicBoolean over = new AtomicBoolean();

    ListenerDrain(
            KernelContext kernel,
            Muxers muxers,
            ClientSessions sessions,
            Counter resets,
            Listener listener,
            Consumer<Listener> gone) {
        this.kernel = kernel;
        this.muxers = muxers;
        this.sessions = sessions;
        this.resets = resets;
        this.listener = listener;
        this.gone = gone;
        this.open = listener.connections();
    }

    /** Starts; the listener is closed, so no connection is added. The time runs from now, however busy the muxers are. */
    void start(Duration timeOut) {
        long begin = kernel.clock().nanos();
        listener.whenEmpty(this::empty);
        each(Connection::leave);
        Muxer first = muxers.get(0);
        first.eventLoop().execute(() -> {
            if (!over.get()) {
                long passed = kernel.clock().nanos() - begin;
                first.deadlines().arm(Deadline.of(() -> each(Connection::drain)), timeOut.toNanos() / 2 - passed);
                first.deadlines().arm(Deadline.of(this::expire), timeOut.toNanos() - passed);
            }
        });
    }

    private void each(Consumer<Connection> what) {
        for (Muxer m : muxers.all()) {
            m.eventLoop().execute(() -> {
                for (Connection c : sessions.all()) {
                    if (c.listener() == listener && c.muxer() == m) {
                        what.accept(c);
                    }
                }
            });
        }
    }

    private void expire() {
        for (Connection c : sessions.all()) {
            if (c.listener() == listener) {
                reset.incrementAndGet();
                resets.inc();
                c.reset();
            }
        }
    }

    private void empty() {
        if (over.compareAndSet(false, true)) {
            int cut = Math.min(open, reset.get());
            kernel.log().log(KernelMessages.LISTENER_DRAINED, listener.name(), open - cut, cut);
            gone.accept(listener);
        }
    }
}
