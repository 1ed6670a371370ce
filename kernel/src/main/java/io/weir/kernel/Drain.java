package io.weir.kernel;

import io.weir.base.Counter;
import io.weir.kernel.connection.ClientSessions;
import io.weir.kernel.connection.Connection;
import io.weir.kernel.mux.Deadline;
import io.weir.kernel.mux.Muxer;
import io.weir.kernel.mux.Muxers;
import io.weir.kernel.settings.KernelContext;
import io.weir.kernel.settings.KernelMessages;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/** One graceful stop: closes idle connections, lets busy ones finish, resets the rest. Shared; used once. */
final class Drain {
    private final KernelContext kernel;
    private final Muxers muxers;
    private final ClientSessions sessions;
    private final IntSupplier connections;
    private final Counter resets;
    private final long begin;
    private final int open;
    private final AtomicInteger idle = new AtomicInteger();
    private final AtomicInteger reset = new AtomicInteger();
    private final AtomicInteger muxersToGo;
    private final CompletableFuture<DrainReport> report = new CompletableFuture<>();

    Drain(KernelContext kernel, Muxers muxers, ClientSessions sessions, IntSupplier connections, Counter resets) {
        this.kernel = kernel;
        this.muxers = muxers;
        this.sessions = sessions;
        this.connections = connections;
        this.resets = resets;
        this.begin = kernel.clock().nanos();
        this.open = connections.getAsInt();
        this.muxersToGo = new AtomicInteger(muxers.all().size());
    }

    CompletableFuture<DrainReport> report() {
        return report;
    }

    void start(Duration timeOut) {
        Muxer first = muxers.get(0);
        // the time runs from the beginning, however busy the muxer is
        first.eventLoop()
                .execute(() -> first.deadlines()
                        .arm(
                                Deadline.of(this::expire),
                                timeOut.toNanos() - (kernel.clock().nanos() - begin)));
        for (Muxer m : muxers.all()) {
            m.eventLoop().execute(() -> drain(m));
        }
    }

    private void drain(Muxer m) {
        for (Connection c : sessions.all()) {
            if (c.muxer() == m && c.drain()) {
                idle.incrementAndGet();
            }
        }
        if (muxersToGo.decrementAndGet() == 0) {
            kernel.log().log(KernelMessages.DRAINING, open, idle.get());
        }
        check();
    }

    private void expire() {
        for (Connection c : sessions.all()) {
            reset.incrementAndGet();
            resets.inc();
            c.reset();
        }
        check();
    }

    /** Completes the report if no connection is left; called whenever the last open connection has ended. */
    void check() {
        if (connections.getAsInt() == 0 && muxersToGo.get() == 0 && !report.isDone()) {
            int finished = Math.max(0, open - idle.get() - reset.get());
            Duration took = Duration.ofNanos(kernel.clock().nanos() - begin);
            if (report.complete(new DrainReport(open, idle.get(), finished, reset.get(), took))) {
                kernel.log().log(KernelMessages.DRAINED, finished, reset.get());
            }
        }
    }
}
