package io.weir.cluster.ratis;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/** Futures that wait for entries to be applied on this member. Shared by any threads; lives as long as its log. */
final class AppliedWaits {
    private final AtomicLong index = new AtomicLong(-1);
    private final ConcurrentSkipListMap<Long, CompletableFuture<Void>> waiting = new ConcurrentSkipListMap<>();

    long index() {
        return index.get();
    }

    /** Records that entries up to this one are applied. */
    void upTo(long applied) {
        index.accumulateAndGet(applied, Math::max);
        wake();
    }

    private void wake() {
        for (Map.Entry<Long, CompletableFuture<Void>> first = waiting.firstEntry();
                first != null && first.getKey() <= index.get();
                first = waiting.firstEntry()) {
            if (waiting.remove(first.getKey(), first.getValue())) {
                first.getValue().complete(null);
            }
        }
    }

    /** Completes when the entry is applied. */
    CompletableFuture<Void> reached(long entry) {
        if (index.get() >= entry) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> future = waiting.computeIfAbsent(entry, _ -> new CompletableFuture<>());
        wake();
        return future;
    }
}
