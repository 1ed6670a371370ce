package io.weir.proxy.cache;

import io.weir.base.Clock;
import io.weir.http.caching.CacheControl;
import io.weir.proxy.cache.config.CacheConfig;
import io.weir.proxy.cache.fill.Fill;
import io.weir.proxy.cache.fill.FillStart;
import io.weir.proxy.cache.fill.Fills;
import io.weir.proxy.cache.fill.StoragePlan;
import io.weir.proxy.cache.store.Store;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of an answer that was to be relayed without the store. Immutable; lives for one call.
 *
 * @param fill the answer is storable after all: lead this fill with it; null: relay the answer
 * @param reason why it is not stored, for the detail of Cache-Status; empty if it is
 */
public record Relayed(@Nullable Fill fill, String reason) {
    static Relayed of(Fills fills, Clock clock, Decision.Relay decided, StoragePlan.Head head) {
        CacheRequest request = decided.request();
        CacheConfig now = fills.config.get();
        CacheControl control = request.control(now);
        StoragePlan.Refusal refusal = StoragePlan.refusal(fills, request, control, head);
        long hash = request.key().hash();
        if (refusal != null) {
            fills.counters.refused(refusal.reason());
            if (refusal.remembered()) {
                fills.store
                        .uncacheables()
                        .add(hash, clock.millis(), now.hitForMiss().toMillis());
            }
            return new Relayed(null, refusal.reason());
        }
        fills.store.uncacheables().remove(hash);
        return storing(fills, decided, control);
    }

    private static Relayed storing(Fills fills, Decision.Relay decided, CacheControl control) {
        CacheRequest request = decided.request();
        Store store = fills.store;
        store.lock().lock();
        try {
            boolean purged = store.purges() != decided.purges();
            FillStart start = new FillStart(null, null, false, false, true, request);
            Fill fill = purged ? null : fills.start(request.key(), request, control, start);
            if (fill != null) {
                return new Relayed(fill, "");
            }
            String reason = purged ? "invalidated" : "memory";
            fills.counters.refused(reason);
            return new Relayed(null, reason);
        } finally {
            store.lock().unlock();
        }
    }
}
