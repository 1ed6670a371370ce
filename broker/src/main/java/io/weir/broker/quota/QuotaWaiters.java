package io.weir.broker.quota;

import io.weir.broker.config.QuotaPolicy;
import io.weir.broker.loop.BrokerLoop;
import io.weir.jms.frames.DestinationName;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The requests that wait for room in one quota, in order of arrival. FIFO serves strictly in that order; Preemptive
 * serves any request that fits. The cost of freed room does not depend on the number of waiting requests (except with
 * Preemptive, if the free bytes fit some requests and not others). The list is confined to the quota's home loop, the
 * methods may be called from any.
 */
final class QuotaWaiters {
    private final Quota quota;
    private final BrokerLoop home;
    private final Set<QuotaWaiter> list = new LinkedHashSet<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicBoolean waking = new AtomicBoolean();
    private final List<QuotaWaiter> granted = new ArrayList<>();
    private boolean serving;
    private boolean again;

    QuotaWaiters(Quota quota, BrokerLoop home) {
        this.quota = quota;
        this.home = home;
    }

    int waiting() {
        return waiting.get();
    }

    void add(QuotaWaiter w) {
        waiting.incrementAndGet();
        home.run(() -> {
            if (w.isWaiting()) {
                list.add(w);
                serve();
            } else {
                waiting.decrementAndGet();
            }
        });
    }

    /** Removes a request that was cancelled: those behind it may have room. */
    void cancelled(QuotaWaiter w) {
        home.run(() -> {
            if (list.remove(w)) {
                waiting.decrementAndGet();
            }
            serve();
        });
    }

    /** Room became free, or the bounds changed. */
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

    /** Fails the requests for a destination; those behind them may have room. */
    void fail(DestinationName destination) {
        home.run(() -> {
            List<QuotaWaiter> all =
                    list.stream().filter(w -> w.isFor(destination)).toList();
            all.forEach(list::remove);
            waiting.addAndGet(-all.size());
            all.forEach(w -> w.end(QuotaWaiter.Outcome.FAILED));
            serve();
        });
    }

    /** A granted request may free room at once: the running pass is repeated, instead of a nested one. */
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
        for (Iterator<QuotaWaiter> i = list.iterator(); !blocked && i.hasNext(); ) {
            QuotaWaiter w = i.next();
            int further = w.further();
            if (!w.isWaiting()) {
                leave(i);
            } else if (quota.take(w.size(), further, bounds)) {
                leave(i);
                w.takes(further);
                granted.add(w);
            } else {
                blocked = bounds.policy() == QuotaPolicy.FIFO || quota.isFull(bounds);
            }
        }
        notifyGranted();
    }

    /** Runs the callbacks after the iteration, because they may add and remove requests. */
    private void notifyGranted() {
        List<QuotaWaiter> now = List.copyOf(granted);
        granted.clear();
        for (QuotaWaiter w : now) {
            if (!w.end(QuotaWaiter.Outcome.GRANTED)) {
                quota.refer(-w.taken());
                quota.release(w.size());
            }
        }
    }

    private void leave(Iterator<QuotaWaiter> i) {
        i.remove();
        waiting.decrementAndGet();
    }
}
