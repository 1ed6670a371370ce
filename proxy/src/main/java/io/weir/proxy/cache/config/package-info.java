/**
 * Declarations of the cache: its configuration section, a route's overrides, its counters, and the reasons why a
 * request bypasses it.
 */
@NullMarked
package io.weir.proxy.cache.config;

import org.jspecify.annotations.NullMarked;
