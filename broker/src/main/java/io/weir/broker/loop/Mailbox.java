package io.weir.broker.loop;

import io.netty.util.internal.PlatformDependent;
import io.weir.base.Counter;
import io.weir.base.Log;
import io.weir.broker.report.BrokerMessages;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * The tasks that other threads post to a loop, run in batches: one task of the event loop runs all that have gathered.
 * Sends are refused beyond a bound; work for existing messages (acknowledgements, deliveries) is bounded by their
 * number. Shared.
 */
final class Mailbox implements Runnable {
    private final Queue<Runnable> waiting = PlatformDependent.newMpscQueue();
    private final AtomicInteger length = new AtomicInteger();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final int muxer;
    private final IntSupplier capacity;
    private final Counter refused;
    private final Log log;
    private final java.util.concurrent.Executor loop;

    Mailbox(int muxer, java.util.concurrent.Executor loop, IntSupplier capacity, Counter refused, Log log) {
        this.muxer = muxer;
        this.loop = loop;
        this.capacity = capacity;
        this.refused = refused;
        this.log = log;
    }

    int length() {
        return length.get();
    }

    boolean offer(Runnable action) {
        int limit = capacity.getAsInt();
        if (length.get() >= limit) {
            refused.inc();
            log.log(BrokerMessages.MAILBOX_FULL, muxer, limit);
            return false;
        }
        post(action);
        return true;
    }

    void post(Runnable action) {
        length.incrementAndGet();
        waiting.add(action);
        if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
            loop.execute(this);
        }
    }

    @Override
    public void run() {
        scheduled.set(false);
        drain();
    }

    /** Runs the tasks that are waiting now. On the loop. */
    void drain() {
        int n = length.get();
        for (Runnable action = waiting.poll(); action != null; action = waiting.poll()) {
            length.decrementAndGet();
            try {
                action.run();
            } catch (RuntimeException | Error e) {
                // includes OutOfMemoryError: the remaining tasks are still run
                log.log(BrokerMessages.ENGINE_ERROR, "mailbox of muxer " + muxer, e);
            }
            if (--n <= 0) {
                break;
            }
        }
        if (length.get() > 0 && scheduled.compareAndSet(false, true)) {
            loop.execute(this);
        }
    }
}
