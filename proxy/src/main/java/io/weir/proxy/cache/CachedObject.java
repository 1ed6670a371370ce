package io.weir.proxy.cache;

import io.weir.http.FieldName;
import io.weir.http.semantics.HttpDate;
import io.weir.proxy.cache.store.CacheEntry;
import io.weir.proxy.cache.store.StoredObject;

/**
 * A stored object as monitoring shows it. Immutable.
 *
 * @param uri the URI that it answers
 * @param status of the answer
 * @param hits requests that it answered; slightly low under concurrent hits
 * @param filling whether a fetch for its URI is in flight
 * @param doubtful it is not used any more: the next answer replaces it
 * @param limited whether it is only for clients that may reach the address that it was fetched from
 * @param onDisk whether the disk has it, too
 * @param bodyBelow whether its body is on the disk alone
 * @param references current references, the store's included
 * @param ageSeconds the value of the Age field
 * @param fresh by the answer's own directives alone
 * @param modifiedMillis epoch milliseconds of Last-Modified; 0 without one
 * @param bytes of its body
 */
public record CachedObject(
        String uri,
        int status,
        long hits,
        boolean filling,
        boolean doubtful,
        boolean limited,
        boolean onDisk,
        boolean bodyBelow,
        int references,
        long ageSeconds,
        boolean fresh,
        long modifiedMillis,
        long bytes) {

    /** Describes an object that the caller has retained. */
    static CachedObject of(StoredObject object, boolean onDisk, long nowMillis) {
        CacheEntry entry = object.entry();
        long seconds = HttpDate.parse(object.combined(FieldName.LAST_MODIFIED), nowMillis / 1000);
        return new CachedObject(
                entry.uri(),
                object.status(),
                object.hits(),
                entry.fetches() != null,
                object.provenance().doubtful(),
                object.from() != null,
                onDisk,
                object.below() != null,
                object.refs() - 1,
                object.freshness().age(nowMillis),
                object.freshness().isFresh(nowMillis),
                seconds == HttpDate.INVALID ? 0 : seconds * 1000,
                object.contentLength());
    }
}
