package io.weir.broker.session;

import io.weir.broker.loop.Barrier;
import io.weir.broker.loop.BrokerLoop;
import io.weir.broker.queue.EntryStore;
import io.weir.broker.queue.QueueEntry;
import io.weir.broker.store.StoreOutcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reports acknowledgements to their queues: at once on the session's loop, in one batch per other
 * loop. Confined to the session's loop.
 */
final class Settlement {
    private final BrokerLoop home;
    private @Nullable Map<BrokerLoop, List<QueueEntry>> elsewhere;
    /** Loops that got acknowledgements since the last {@link #settle}. */
    private final Set<BrokerLoop> notified = new LinkedHashSet<>();

    private boolean touchedStore;

    Settlement(BrokerLoop home) {
        this.home = home;
    }

    /** Acknowledges an entry; the caller calls {@link #flush}. */
    void acknowledge(QueueEntry e) {
        touchedStore |= e.message.persistent() && e.queue.durable;
        BrokerLoop loop = e.queue.loop;
        if (loop.equals(home)) {
            e.queue.acknowledged(e);
            return;
        }
        Map<BrokerLoop, List<QueueEntry>> m = elsewhere;
        if (m == null) {
            m = new LinkedHashMap<>();
            elsewhere = m;
        }
        m.computeIfAbsent(loop, _ -> new ArrayList<>()).add(e);
    }

    void flush() {
        Map<BrokerLoop, List<QueueEntry>> m = elsewhere;
        if (m != null) {
            elsewhere = null;
            notified.addAll(m.keySet());
            m.forEach((loop, entries) -> loop.post(() -> entries.forEach(e -> e.queue.acknowledged(e))));
        }
    }

    /**
     * Keeps an operation pending until other loops have processed the acknowledgements posted before: only then is the
     * next request to the store ordered after them.
     */
    void settle(PendingOperations quiet) {
        for (BrokerLoop loop : notified) {
            quiet.begin();
            loop.post(() -> home.post(quiet::end));
        }
        notified.clear();
    }

    /** Records that earlier acknowledgements are not durable yet. */
    void touchStore() {
        touchedStore = true;
    }

    /**
     * Calls back when all acknowledgements so far are durable, or with the fault that prevents it. Unlike {@link
     * #settle} it does not wait for the session's sends, and leaves the state for later calls unchanged.
     */
    void whenDurable(EntryStore store, StoreOutcome outcome) {
        boolean any = touchedStore;
        Barrier.through(home, List.copyOf(notified), () -> store.whenDone(home, any, outcome));
    }

    /** Whether persistent messages were acknowledged since the last call. */
    boolean touchedStore() {
        boolean t = touchedStore;
        touchedStore = false;
        return t;
    }
}
