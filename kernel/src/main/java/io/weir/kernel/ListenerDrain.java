package io.weir.kernel;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The way out of a listener that was taken away while the server runs: its connections' next answers say close. Clients
 * that idle are closed after half of the time, so that no request meets a connection that is closed while it is on its way
 * unless its client was idle that long. Shared; used once.
 */
final class ListenerDrain {
    private final Kernel kernel;
    private final Listener listener;
    private final Consumer<Listener> gone;
    private final int open;
    private final AtomicInteger reset = new AtomicInteger();
    private final AtomicBoolean over = new AtomicBoolean();

    ListenerDrain(Kernel kernel, Listener listener, Consumer<Listener> gone) {
        this.kernel = kernel;
        this.listener = listener;
        this.gone = gone;
        this.open = listener.connections();
    }

    /** The listener is closed: nothing joins its connections. */
    void start(Duration timeOut) {
        listener.whenEmpty(this::empty);
        each(Connection::leave);
        Muxer first = kernel.muxers().get(0);
        first.eventLoop().execute(() -> {
            if (!over.get()) {
                first.deadlines().arm(Deadline.of(() -> each(Connection::drain)), timeOut.toNanos() / 2);
                first.deadlines().arm(Deadline.of(this::expire), timeOut.toNanos());
            }
        });
    }

    private void each(Consumer<Connection> what) {
        for (Muxer m : kernel.muxers().all()) {
            m.eventLoop().execute(() -> {
                for (Connection c : kernel.sessions().all()) {
                    if (c.listener() == listener && c.muxer() == m) {
                        what.accept(c);
                    }
                }
            });
        }
    }

    private void expire() {
        for (Connection c : kernel.sessions().all()) {
            if (c.listener() == listener) {
                reset.incrementAndGet();
                kernel.drainResets().inc();
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
