package io.weir.proxy.cache;

import io.weir.http.Fields;
import io.weir.proxy.cache.config.CacheConfig;
import io.weir.proxy.cache.fill.Fills;
import io.weir.proxy.cache.fill.LeaderRequest;
import io.weir.proxy.cache.fill.ObjectMaker;
import io.weir.proxy.cache.fill.StoragePlan;
import io.weir.proxy.cache.store.FetchedFrom;
import io.weir.proxy.cache.store.SourceConnection;
import io.weir.proxy.cache.store.Store;
import io.weir.proxy.cache.store.StoredObject;
import java.util.concurrent.locks.ReentrantLock;

/** Applies the answer to a HEAD to the stored answer to GET (RFC 9111 4.3.5). Stateless. */
final class HeadAnswer {
    private HeadAnswer() {}

    static void apply(Fills fills, CacheRequest request, StoragePlan.Head head) {
        StoredObject found = request.select(fills.store.table().find(request.key()));
        if (found == null || !found.tryRetain()) {
            return;
        }
        try {
            long now = Math.floorDiv(head.responseMillis(), 1000);
            switch (found.validators().freshenedBy(head.status(), head.fields(), found.contentLength(), now)) {
                case UPDATE -> update(fills, request, found, head);
                case INVALIDATE -> {
                    fills.counters.headInvalidated.inc();
                    fills.drop(found);
                }
                case NONE -> {}
            }
        } finally {
            found.release();
        }
    }

    private static void update(Fills fills, CacheRequest request, StoredObject found, StoragePlan.Head head) {
        if (!FetchedFrom.fit(found.from(), head.from())) {
            return;
        }
        CacheConfig now = fills.config.get();
        Fields fields = request.fields();
        LeaderRequest leader = LeaderRequest.of(request, fields, request.control(now));
        StoragePlan verdict = StoragePlan.freshened(now, leader, found, head);
        if (!verdict.reason().isEmpty()) {
            fills.counters.headInvalidated.inc();
            fills.drop(found);
            return;
        }
        if (head.requestMillis() < found.freshness().responseMillis()) {
            // older than the stored answer: a purge may have happened in between
            return;
        }
        StoredObject fresh = new ObjectMaker(fills.store)
                .refresh(found, verdict, verdict.vary().key(fields), SourceConnection.UNKNOWN);
        if (fresh != null && !put(fills.store, found, fresh)) {
            fresh.release();
        } else if (fresh != null) {
            fills.counters.headUpdated.inc();
        }
    }

    /** Unless the object was replaced, evicted or invalidated in the interim: it must not reappear. */
    private static boolean put(Store store, StoredObject found, StoredObject fresh) {
        ReentrantLock lock = store.lock();
        lock.lock();
        try {
            if (!Store.holds(found)) {
                return false;
            }
            // takes found's place, unless its Vary differs; the entry must not become empty between the two calls
            store.put(fresh);
            store.drop(found);
            return true;
        } finally {
            lock.unlock();
        }
    }
}
