/**
 * The memory cache of the proxy: object store, RFC 9111 semantics on top of {@code io.weir.http.caching}, and collapsed
 * forwarding. The engine transports bytes; everything about what is stored, for how long and who waits for whom is here.
 */
@NullMarked
package io.weir.proxy.cache;

import org.jspecify.annotations.NullMarked;
