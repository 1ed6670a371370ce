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
 * Reports failures that no caller waits for: to the ExceptionListener, one at a time, on the
 * client thread pool; and to the platform's logger {@code io.weir.jms}. Shared.
 */
public final class FailureReports {
    private static final Logger LOG = System.getLogger("io.weir.jms");

    private final Executor pool;
    private final Queue<JMSException> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private volatile @Nullable ExceptionListener listener;

    /** Those of a connection, whose ExceptionListener is called on the pool. */
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

    /** Tells the ExceptionListener; the log, when there is none. */
    public void tell(JMSException e) {
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
     * Logs what cannot be thrown to a caller. A failure of the connection's own is one line, however often connections
     * are lost; its stack trace, which is of the client's inside, is for level FINE. What the application threw is
     * logged with its trace.
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
