/** Stored objects: their memory, the table that finds them, and their eviction. {@link Store} is the entry point. */
@NullMarked
package io.weir.proxy.cache.store;

import org.jspecify.annotations.NullMarked;
