/**
 * Fetches that fill or validate the store, and who reads along. {@link Fill} is the door.
 */
@NullMarked
package io.weir.proxy.cache.fill;

import org.jspecify.annotations.NullMarked;
