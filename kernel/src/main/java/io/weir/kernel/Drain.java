package io.weir.kernel;

import io.weir.base.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** One orderly stop: idle connections closed, busy ones told to finish, the rest reset. Shared; used once. */
final class Drain {
    private final Kernel kernel;
    private final Clock clock;
    private final long begin;
    private final int open;
    private final AtomicInteger idle = new AtomicInteger();
    private final AtomicInteger reset = new AtomicInteger();
    private final AtomicInteger muxersToGo;
    private final CompletableFuture<DrainReport> report = new CompletableFuture<>();

    Drain(Kernel kernel, int open) {
        this.kernel = kernel;
        this.clock = kernel.clock();
        this.begin = clock.nanos();
        this.open = open;
        this.muxersToGo = new AtomicInteger(kernel.muxers().all().size());
    }

    CompletableFuture<DrainReport> report() {
        return report;
    }

    void start(Duration timeOut) {
        Muxer first = kernel.muxers().get(0);
        first.eventLoop().execute(() -> first.deadlines().arm(Deadline.of(this::expire), timeOut.toNanos()));
        for (Muxer m : kernel.muxers().all()) {
            m.eventLoop().execute(() -> tell(m));
        }
    }

    private void tell(Muxer m) {
        for (Connection c : kernel.sessions().all()) {
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
        for (Connection c : kernel.sessions().all()) {
            reset.incrementAndGet();
            kernel.drainResets().inc();
            c.reset();
        }
        check();
    }

    /** Called whenever the last open connection has gone. */
    void check() {
        if (kernel.connections() == 0 && muxersToGo.get() == 0 && !report.isDone()) {
            int finished = Math.max(0, open - idle.get() - reset.get());
            Duration took = Duration.ofNanos(clock.nanos() - begin);
            if (report.complete(new DrainReport(open, idle.get(), finished, reset.get(), took))) {
                kernel.log().log(KernelMessages.DRAINED, finished, reset.get());
            }
        }
    }
}
