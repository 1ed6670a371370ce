package io.weir.proxy.cache.disk;

import io.weir.http.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * An answer that is being read from the disk into memory, and the requests that wait for it. When it is over they look
 * again: the answer is in memory then, or it is fetched. Shared.
 */
public final class DiskLoad {
    final long hash;
    final byte[] key;
    /** Of the request, if they select the variant. */
    final @Nullable Fields fields;

    private final List<Waiter> waiters = new ArrayList<>(1);
    private boolean over;

    DiskLoad(long hash, byte[] key, @Nullable Fields fields) {
        this.hash = hash;
        this.key = key;
        this.fields = fields;
    }

    /** Whether the disk has variants of the key, of which the request selects one, or none. */
    public boolean variants() {
        return fields != null;
    }

    /** A request that waits. Confined to its executor. */
    public interface Waiter {
        /** The event loop on which {@link #loaded} runs. */
        Executor executor();

        /** The load is over. */
        void loaded(DiskLoad load);
    }

    /** Adds a request; false if the load is over. */
    public boolean await(Waiter waiter) {
        synchronized (waiters) {
            if (!over) {
                waiters.add(waiter);
            }
            return !over;
        }
    }

    /** Whether waiting for it makes no sense. */
    public boolean over() {
        synchronized (waiters) {
            return over;
        }
    }

    void finish() {
        List<Waiter> awake;
        synchronized (waiters) {
            over = true;
            awake = List.copyOf(waiters);
            waiters.clear();
        }
        for (Waiter waiter : awake) {
            try {
                waiter.executor().execute(() -> waiter.loaded(this));
            } catch (RejectedExecutionException _) {
                // its connections are closed with its loop
            }
        }
    }
}
