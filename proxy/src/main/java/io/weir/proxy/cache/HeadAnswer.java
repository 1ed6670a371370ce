package io.weir.proxy.cache;

import io.weir.http.Fields;
import java.util.concurrent.locks.ReentrantLock;

/** What the answer to a HEAD does to the stored answer to GET (RFC 9111 4.3.5). Stateless. */
final class HeadAnswer {
    private HeadAnswer() {}

    static void apply(Cache cache, CacheRequest request, Verdict.Head head) {
        StoredObject found = Cache.select(cache.store.table.find(request.key()), request);
        if (found == null || !found.tryRetain()) {
            return;
        }
        try {
            long now = Math.floorDiv(head.responseMillis(), 1000);
            switch (found.validators().freshenedBy(head.status(), head.fields(), found.contentLength(), now)) {
                case UPDATE -> update(cache, request, found, head);
                case INVALIDATE -> {
                    cache.counters.headInvalidated.inc();
                    cache.drop(found);
                }
                case NONE -> {}
            }
        } finally {
            found.release();
        }
    }

    private static void update(Cache cache, CacheRequest request, StoredObject found, Verdict.Head head) {
        if (!FetchedFrom.fit(found.from(), head.from())) {
            return;
        }
        CacheConfig now = cache.config.get();
        Fields fields = request.fields();
        Asked asked = Asked.of(request, fields, request.control(now));
        Verdict verdict = Verdict.freshened(now, asked, found, head);
        if (!verdict.reason().isEmpty()) {
            cache.counters.headInvalidated.inc();
            cache.drop(found);
            return;
        }
        if (head.requestMillis() < found.freshness().responseMillis()) {
            // it is older than what is stored: a purge may lie in between
            return;
        }
        StoredObject fresh = new ObjectMaker(cache.store)
                .refresh(found, verdict, verdict.vary().key(fields), Provenance.UNKNOWN);
        if (fresh != null && !put(cache.store, found, fresh)) {
            fresh.release();
        } else if (fresh != null) {
            cache.counters.headUpdated.inc();
        }
    }

    /** Unless it was replaced, evicted or invalidated meanwhile: what is gone must not come back. */
    private static boolean put(Store store, StoredObject found, StoredObject fresh) {
        ReentrantLock lock = store.lock;
        lock.lock();
        try {
            if (!Store.holds(found)) {
                return false;
            }
            // takes found's place, unless its Vary differs; an entry must not be left empty between the two
            store.put(fresh);
            store.drop(found);
            return true;
        } finally {
            lock.unlock();
        }
    }
}
