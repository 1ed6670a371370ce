package io.weir.proxy.cache;

import io.weir.http.caching.Freshness;
import io.weir.http.caching.Validators;
import io.weir.proxy.cache.disk.DiskCopy;
import io.weir.proxy.cache.store.StoredObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stored answer with its places in memory and on disk, as monitoring shows it. Immutable.
 *
 * @param uri the URI that it answers
 * @param server the virtual server whose answer it is; empty: that without a name
 * @param forward whether it is the answer of the named host (forward proxy), and not of a route's server
 * @param status of the answer
 * @param bytes of its body
 * @param storedMillis epoch milliseconds when it was received, or validated last
 * @param staleMillis epoch milliseconds from which on it is stale
 * @param fresh by the answer's own directives alone
 * @param ageSeconds the value of the Age field
 * @param vary names of the fields by which it is selected
 * @param selected whether the fields of the request select it
 * @param doubtful it is not used any more: the next answer replaces it
 * @param limited whether it is only for clients that may reach the address that it was fetched from
 * @param memory null: it is not there
 * @param disk null: it is not there
 */
public record StoredCopy(
        String uri,
        String server,
        boolean forward,
        int status,
        long bytes,
        long storedMillis,
        long staleMillis,
        boolean fresh,
        long ageSeconds,
        @Nullable String etag,
        @Nullable String lastModified,
        List<String> vary,
        boolean selected,
        boolean doubtful,
        boolean limited,
        @Nullable InMemory memory,
        @Nullable DiskCopy disk) {
    public StoredCopy {
        vary = List.copyOf(vary);
    }

    /**
     * Its place in memory.
     *
     * @param hits requests that it answered; slightly low under concurrent hits
     * @param references current references, the store's included
     * @param bytes all that it takes of the budget
     */
    public record InMemory(long hits, int references, long bytes) {}

    /** Whose answers a key is for. */
    record Owner(String uri, String server, boolean forward) {}

    /** Describes an object that the caller has retained. */
    static StoredCopy of(Owner owner, StoredObject object, boolean selected, @Nullable DiskCopy disk, long nowMillis) {
        Freshness freshness = object.freshness();
        Validators validators = object.validators();
        return new StoredCopy(
                owner.uri(),
                owner.server(),
                owner.forward(),
                object.status(),
                object.contentLength(),
                freshness.responseMillis(),
                freshness.staleAtMillis(),
                freshness.isFresh(nowMillis),
                freshness.age(nowMillis),
                validators.etag(),
                validators.lastModified(),
                object.vary().names(),
                selected,
                object.provenance().doubtful(),
                object.from() != null,
                new InMemory(object.hits(), object.refs() - 1, object.memoryBytes()),
                disk);
    }

    /** Describes one that is on disk alone. */
    static StoredCopy of(Owner owner, DiskCopy disk, DiskCopy.Answer answer, long nowMillis) {
        Freshness freshness = answer.freshness();
        return new StoredCopy(
                owner.uri(),
                owner.server(),
                owner.forward(),
                answer.status(),
                answer.bytes(),
                freshness.responseMillis(),
                freshness.staleAtMillis(),
                freshness.isFresh(nowMillis),
                freshness.age(nowMillis),
                answer.validators().etag(),
                answer.validators().lastModified(),
                answer.vary(),
                true,
                false,
                answer.limited(),
                null,
                disk);
    }
}
