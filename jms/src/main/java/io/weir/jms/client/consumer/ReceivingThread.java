package io.weir.jms.client.consumer;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The thread that waits in a session's receive, if any, and whether a message is being handed to it. Shared: the thread
 * registers and unregisters itself, any other wakes it or waits until it has its message. Lives as long as its session.
 */
public final class ReceivingThread {
    private final BooleanSupplier running;
    private volatile @Nullable Thread receiver;
    private volatile boolean handing;

    /** @param running whether messages may be passed to the application now */
    public ReceivingThread(BooleanSupplier running) {
        this.running = running;
    }

    /** Registers the current thread, which is going to wait for messages of the session. */
    void begin() throws JMSException {
        Thread other = receiver;
        if (other != null && !other.equals(Thread.currentThread())) {
            throw new IllegalStateException(
                    "the session is used by two threads: " + other.getName() + " receives already", "THREADS");
        }
        receiver = Thread.currentThread();
    }

    /** Unregisters the current thread, which has its message or stops waiting. */
    void end() {
        handing = false;
        receiver = null;
    }

    /** Marks that a message is being handed out, so that stop waits for it; returns false if delivery is stopped. */
    boolean beginHanding() {
        handing = true;
        if (running.getAsBoolean()) {
            return true;
        }
        handing = false;
        return false;
    }

    void endHanding() {
        handing = false;
    }

    /** Whether the current thread is the one that receives. */
    boolean isCurrent() {
        return Thread.currentThread().equals(receiver);
    }

    /** Wakes the thread to check again. */
    public void wake() {
        Thread t = receiver;
        if (t != null) {
            LockSupport.unpark(t);
        }
    }

    /**
     * Waits until no other thread is in a receive, which must have been told that it ends.
     *
     * @param unless no more waiting: such a thread may wait for a lost link, and sends nothing
     */
    public void awaitEnd(BooleanSupplier unless) {
        while (receiver != null && !isCurrent() && !unless.getAsBoolean()) {
            wake();
            LockSupport.parkNanos(this, TimeUnit.MICROSECONDS.toNanos(100));
        }
    }

    /** Waits until no message is being handed to another thread, and wakes that thread to check again. */
    public void awaitPaused() {
        while (handing && !isCurrent()) {
            LockSupport.parkNanos(this, TimeUnit.MICROSECONDS.toNanos(100));
        }
        wake();
    }
}
