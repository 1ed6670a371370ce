package io.weir.broker;

import io.weir.broker.config.QuotaPolicy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The requests that wait for room in one quota, in the order of their coming. FIFO serves strictly in that order;
 * Preemptive serves whoever fits. The list is confined to the quota's home loop, the methods may be called from any.
 */
final class QuotaWaiters {
    private final Quota quota;
    private final Loop home;
    private final Queue<QuotaWaiter> list = new ArrayDeque<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicBoolean waking = new AtomicBoolean();
    private final List<QuotaWaiter> granted = new ArrayList<>();
    private boolean serving;
    private boolean again;

    QuotaWaiters(Quota quota, Loop home) {
        this.quota = quota;
        this.home = home;
    }

    int waiting() {
        return waiting.get();
    }

    void add(QuotaWaiter w) {
        waiting.incrementAndGet();
        home.run(() -> {
            list.add(w);
            serve();
        });
    }

    /** Room came free, bounds changed, or somebody gave up. */
    void wake() {
        if (home.isCurrent()) {
            serve();
        } else if (waking.compareAndSet(false, true)) {
            home.post(() -> {
                waking.set(false);
                serve();
            });
        }
    }

    void failAll() {
        home.run(() -> {
            List<QuotaWaiter> all = List.copyOf(list);
            list.clear();
            waiting.addAndGet(-all.size());
            all.forEach(w -> w.end(QuotaWaiter.Outcome.FAILED));
        });
    }

    /** A request that is granted may free room at once: that is seen by the pass that runs, not by one within it. */
    private void serve() {
        if (serving) {
            again = true;
            return;
        }
        serving = true;
        try {
            do {
                again = false;
                pass();
            } while (again);
        } finally {
            serving = false;
        }
    }

    private void pass() {
        Quota.Bounds bounds = quota.bounds();
        boolean blocked = false;
        for (Iterator<QuotaWaiter> i = list.iterator(); i.hasNext(); ) {
            QuotaWaiter w = i.next();
            if (!w.isWaiting()) {
                leave(i);
            } else if (!blocked && quota.take(w.size(), bounds)) {
                leave(i);
                granted.add(w);
            } else if (bounds.policy() == QuotaPolicy.FIFO) {
                // those behind are only looked at for having given up
                blocked = true;
            }
        }
        tell();
    }

    /** After the walk: who is told may add and remove requests. */
    private void tell() {
        List<QuotaWaiter> now = List.copyOf(granted);
        granted.clear();
        for (QuotaWaiter w : now) {
            if (!w.end(QuotaWaiter.Outcome.GRANTED)) {
                quota.release(w.size());
            }
        }
    }

    private void leave(Iterator<QuotaWaiter> i) {
        i.remove();
        waiting.decrementAndGet();
    }
}
