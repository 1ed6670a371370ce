package io.weir.kernel.tls;

import io.weir.kernel.settings.KernelContext;
import io.weir.kernel.settings.KernelMessages;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Maintains the certificates of a kernel's listeners and origins, once a second, on its own thread: files and OCSP
 * responders may be slow, and certificates must not expire because execute threads hang. The thread starts with the
 * first owner. Shared; lives as long as the kernel.
 */
public final class TlsWatch implements AutoCloseable {
    private final KernelContext kernel;
    private final List<CertificateOwner> watched = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable ScheduledThreadPoolExecutor thread;
    private boolean closed;

    public TlsWatch(KernelContext kernel) {
        this.kernel = kernel;
    }

    void watch(CertificateOwner tls) {
        lock.lock();
        try {
            watched.add(tls);
            if (thread == null && !closed) {
                ScheduledThreadPoolExecutor started = new ScheduledThreadPoolExecutor(1, this::named);
                var _ = started.scheduleWithFixedDelay(this::maintain, 0, 1, TimeUnit.SECONDS);
                thread = started;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Stops watching an owner that is closed. */
    void forget(CertificateOwner tls) {
        watched.remove(tls);
    }

    /** The watched owners. */
    public List<CertificateOwner> watched() {
        return List.copyOf(watched);
    }

    private Thread named(Runnable r) {
        Thread t = new Thread(r, kernel.name() + ".tls.Certificates");
        t.setDaemon(true);
        return t;
    }

    private void maintain() {
        for (CertificateOwner tls : watched) {
            try {
                tls.maintain();
            } catch (RuntimeException | Error e) {
                // the next check must still run, also for the other owners
                kernel.log().log(KernelMessages.PROTOCOL_ERROR, "certificates", e);
            }
        }
    }

    /** Stops; waits briefly for a check in progress. */
    @Override
    public void close() {
        ScheduledThreadPoolExecutor running;
        lock.lock();
        try {
            closed = true;
            running = thread;
        } finally {
            lock.unlock();
        }
        if (running != null) {
            running.shutdownNow();
            try {
                var _ = running.awaitTermination(1, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
