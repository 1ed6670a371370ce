/**
 * Stored objects: their memory, the table that finds them, and which of them is evicted. {@link Store} is the hub.
 */
@NullMarked
package io.weir.proxy.cache.store;

import org.jspecify.annotations.NullMarked;
