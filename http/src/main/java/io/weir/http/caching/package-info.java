/**
 * RFC 9111 as pure functions: Cache-Control, storability, freshness, Vary, validation, invalidation, Cache-Status. No
 * I/O and no clock: times are parameters, in epoch milliseconds if the name says so, otherwise in seconds. Depends on
 * {@code io.weir.http.semantics} and {@code io.weir.http.structured}.
 */
@NullMarked
package io.weir.http.caching;

import org.jspecify.annotations.NullMarked;
