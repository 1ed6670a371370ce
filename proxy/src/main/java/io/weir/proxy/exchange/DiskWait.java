package io.weir.proxy.exchange;

import io.weir.kernel.mux.Deadline;
import io.weir.proxy.cache.disk.DiskLoad;
import io.weir.proxy.context.LoopContext;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * An exchange's wait for an answer that is read from the disk into memory, bounded by {@code cache.disk.read-time-out}:
 * then it looks again. Owned by one exchange, made for its first wait, confined to its muxer.
 */
final class DiskWait extends Deadline implements DiskLoad.Waiter {
    private final LoopContext loop;
    private final ExchangeCallbacks callbacks;
    private @Nullable DiskLoad awaited;

    DiskWait(LoopContext loop, ExchangeCallbacks callbacks) {
        this.loop = loop;
        this.callbacks = callbacks;
    }

    /** Returns false if the load is over. */
    boolean begin(DiskLoad load) {
        if (!load.await(this)) {
            return false;
        }
        awaited = load;
        loop.deadlines().arm(this, loop.proxy().cache().diskWaitNanos());
        return true;
    }

    /** The exchange does not wait any more; a late call finds nothing to do. */
    void end() {
        if (awaited != null) {
            awaited = null;
            loop.deadlines().disarm(this);
        }
    }

    @Override
    public Executor executor() {
        return loop.muxer().eventLoop();
    }

    @Override
    public void loaded(DiskLoad load) {
        if (load == awaited) {
            end();
            again();
        }
    }

    @Override
    protected void expired() {
        if (awaited != null) {
            awaited = null;
            loop.proxy().cache().diskTimedOut();
            again();
        }
    }

    private void again() {
        try {
            callbacks.lookAgain();
        } catch (RuntimeException e) {
            callbacks.unexpected(e);
        }
    }
}
