package io.weir.jms.client.producer;

import io.weir.jms.client.delivery.Transaction;
import io.weir.jms.client.link.Refusals;
import io.weir.jms.client.listener.Dispatch;
import jakarta.jms.JMSException;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A session's sends whose CompletionListeners were not called yet, in the order of the sends, which is the order of the
 * calls regardless of the order of the answers. At most {@link #MOST}; one more waits. Shared by the sending thread,
 * the loop and the session's dispatch.
 */
public final class AsyncSends implements Dispatch.Completions, Transaction.Sends {
    /** Maximum sends of one session that wait for their answers; the next blocks. */
    public static final int MOST = 1024;

    private final Dispatch dispatch;
    private final BiConsumer<String, Throwable> failures;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition fewer = lock.newCondition();
    private final ArrayDeque<AsyncSend> sends = new ArrayDeque<>();

    /** @param failures receives exceptions thrown by completion listeners */
    public AsyncSends(Dispatch dispatch, BiConsumer<String, Throwable> failures) {
        this.dispatch = dispatch;
        this.failures = failures;
    }

    /** Adds a send, before it is sent. */
    void add(AsyncSend send) throws JMSException {
        lock.lock();
        try {
            awaitAtMost(MOST - 1);
            sends.add(send);
        } finally {
            lock.unlock();
        }
    }

    /** Removes a send that was completed or not sent. */
    void remove(AsyncSend send) {
        lock.lock();
        try {
            sends.remove(send);
            fewer.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void listenerThrew(RuntimeException e) {
        failures.accept("a completion listener threw", e);
    }

    /** An answer arrived. */
    void answered() {
        dispatch.wake();
    }

    @Override
    public boolean hasReady() {
        lock.lock();
        try {
            AsyncSend first = sends.peek();
            return first != null && first.isDone();
        } finally {
            lock.unlock();
        }
    }

    /** Calls the listener of the oldest send if its answer has arrived; on the session's dispatch. */
    @Override
    public boolean completeNext() {
        AsyncSend send = ready();
        if (send == null) {
            return false;
        }
        try {
            send.notifyListener();
        } finally {
            remove(send);
        }
        return true;
    }

    private @Nullable AsyncSend ready() {
        lock.lock();
        try {
            AsyncSend first = sends.peek();
            return first != null && first.isDone() ? first : null;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isCompleting() {
        return dispatch.isCompleting();
    }

    /** Waits until all listeners were called; within a listener of the session it calls them itself. */
    @Override
    public void awaitAll() throws JMSException {
        lock.lock();
        try {
            awaitAtMost(0);
        } finally {
            lock.unlock();
        }
    }

    private void awaitAtMost(int most) throws JMSException {
        try {
            while (sends.size() > most) {
                if (dispatch.isCurrent()) {
                    completeOne();
                } else {
                    fewer.await();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Refusals.caused(new JMSException("interrupted while sends complete", "INTERRUPTED"), e);
        }
    }

    private void completeOne() {
        lock.unlock();
        try {
            dispatch.completeHere();
        } finally {
            lock.lock();
        }
    }
}
