package io.weir.jms.client.listener;

import jakarta.jms.ExceptionListener;
import jakarta.jms.JMSException;
import java.lang.System.Logger;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Reports failures that cannot be thrown to a caller: to the ExceptionListener, one at a time, on the client thread
 * pool; and to the platform's logger {@code io.weir.jms}. Shared.
 */
public final class FailureReports {
    private static final Logger LOG = System.getLogger("io.weir.jms");

    private final Executor pool;
    private final Queue<JMSException> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private volatile @Nullable ExceptionListener listener;

    /** Creates the reports of a connection, whose ExceptionListener is called on the pool. */
    public FailureReports(Executor pool) {
        this.pool = pool;
    }

    /** The application's listener; null if none. */
    @Nullable
    public ExceptionListener listener() {
        return listener;
    }

    /** Sets the listener; null for none. */
    public void listen(@Nullable ExceptionListener next) {
        listener = next;
    }

    /** Notifies the ExceptionListener; logs the failure if there is none. */
    public void report(JMSException e) {
        if (listener == null) {
            quiet("a connection has a problem and no ExceptionListener", e);
            return;
        }
        waiting.add(e);
        schedule();
    }

    private void schedule() {
        if (!scheduled.getAndSet(true)) {
            pool.execute(this::drain);
        }
    }

    private void drain() {
        try {
            for (JMSException e = waiting.poll(); e != null; e = waiting.poll()) {
                call(e);
            }
        } finally {
            scheduled.set(false);
            if (!waiting.isEmpty()) {
                schedule();
            }
        }
    }

    private void call(JMSException e) {
        ExceptionListener l = listener;
        if (l == null) {
            return;
        }
        try {
            l.onException(e);
        } catch (RuntimeException thrown) {
            quiet("an ExceptionListener threw", thrown);
        }
    }

    /**
     * Logs a failure that cannot be thrown to a caller. A failure of the connection itself is one line, however often
     * connections are lost; its stack trace, which only shows the client's internals, is logged at level FINE. An
     * exception of the application is logged with its stack trace.
     */
    public void quiet(String what, Throwable cause) {
        if (cause instanceof JMSException) {
            LOG.log(Logger.Level.WARNING, what + ": " + cause.getMessage());
            LOG.log(Logger.Level.DEBUG, what, cause);
        } else {
            LOG.log(Logger.Level.WARNING, what, cause);
        }
    }
}
