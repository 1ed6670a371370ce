package io.weir.proxy.pool;

import org.jspecify.annotations.Nullable;

/**
 * The input for selecting a request's server. Immutable.
 *
 * @param hash of the part that the pool hashes
 * @param keyed whether the request has that part
 * @param route named by the request; null: none
 */
public record RequestKey(long hash, boolean keyed, @Nullable String route) {
    /** A request without a key or a route. */
    public static final RequestKey NONE = new RequestKey(0, false, null);
}
