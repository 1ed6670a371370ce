package io.weir.proxy.pool;

import org.jspecify.annotations.Nullable;

/**
 * What of a request its server depends on. Immutable.
 *
 * @param hash of what the pool hashes
 * @param keyed whether the request has that
 * @param route that it names; null: none
 */
public record RequestKey(long hash, boolean keyed, @Nullable String route) {
    /** A request whose server is the next one. */
    public static final RequestKey NONE = new RequestKey(0, false, null);
}
