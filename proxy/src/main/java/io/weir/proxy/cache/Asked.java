package io.weir.proxy.cache;

import io.weir.http.Fields;
import io.weir.http.caching.CacheControl;

/**
 * The request that a fetch is for: its fields, what counts of its Cache-Control, and its route's terms. Immutable; replaced
 * as a whole when another reader takes the fetch over.
 *
 * @param kin {@link Permission#kin}
 */
record Asked(Fields fields, CacheControl control, CacheTerms terms, Permission.Kin kin) {
    /** Of a request that has just been copied. */
    static Asked of(CacheRequest request, Fields copy, CacheControl control) {
        return new Asked(copy, control, request.terms(), request.kin());
    }
}
