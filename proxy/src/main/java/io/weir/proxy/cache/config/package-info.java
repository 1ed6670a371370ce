/**
 * What is declared of the cache: its section of the configuration, what a route may say otherwise, its counters, and the
 * reasons for which a request goes past it.
 */
@NullMarked
package io.weir.proxy.cache.config;

import org.jspecify.annotations.NullMarked;
