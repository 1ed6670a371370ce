package io.weir.proxy.cache;

import io.weir.http.FieldName;
import io.weir.http.semantics.HttpDate;
import io.weir.proxy.cache.store.CacheEntry;
import io.weir.proxy.cache.store.StoredObject;

/**
 * What monitoring shows of a stored object. Immutable.
 *
 * @param uri what it is the answer for
 * @param hits requests that it answered; a little less where they came at once
 * @param filling whether a fetch for its URI is under way
 * @param references who holds it now, the store included
 * @param ageSeconds as the Age field would say
 * @param fresh by the answer alone
 * @param modifiedMillis epoch milliseconds of Last-Modified; 0 without one
 * @param bytes of its body
 */
public record CachedObject(
        String uri,
        long hits,
        boolean filling,
        int references,
        long ageSeconds,
        boolean fresh,
        long modifiedMillis,
        long bytes) {

    /** Of an object that the caller retains. */
    static CachedObject of(StoredObject object, long nowMillis) {
        CacheEntry entry = object.entry();
        long seconds = HttpDate.parse(object.fields().combined(FieldName.LAST_MODIFIED), nowMillis / 1000);
        return new CachedObject(
                entry.uri(),
                object.hits(),
                entry.fetches() != null,
                object.refs() - 1,
                object.freshness().age(nowMillis),
                object.freshness().isFresh(nowMillis),
                seconds == HttpDate.INVALID ? 0 : seconds * 1000,
                object.contentLength());
    }
}
