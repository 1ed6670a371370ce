/**
 * The memory cache of the proxy: object store, RFC 9111 semantics on top of {@code io.weir.http.caching}, and collapsed
 * forwarding. The engine transfers bytes; this package decides what is stored, for how long, and which requests wait
 * for which fetch.
 */
@NullMarked
package io.weir.proxy.cache;

import org.jspecify.annotations.NullMarked;
