package io.weir.proxy.cache.fill;

import io.weir.http.Fields;
import io.weir.http.caching.CacheControl;
import io.weir.proxy.cache.config.CacheTerms;
import io.weir.proxy.cache.store.Permission;

/**
 * The request that a fetch is for: its fields, its effective Cache-Control, and its route's caching settings.
 * Immutable; replaced as a whole when another reader takes the fetch over.
 *
 * @param audience {@link Permission#audience}
 */
public record LeaderRequest(Fields fields, CacheControl control, CacheTerms terms, Permission.Audience audience) {
    /** Heap bytes reserved for each fill, without the request's fields. */
    private static final int FILL_BYTES = 768;

    /** Heap bytes of a fill for a request. */
    static long heapBytes(Fields request) {
        return FILL_BYTES + request.memoryBytes();
    }

    /** Of a request whose fields were copied. */
    public static LeaderRequest of(FillRequest request, Fields copy, CacheControl control) {
        return new LeaderRequest(copy, control, request.terms(), request.audience());
    }
}
