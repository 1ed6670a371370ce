/**
 * The disk tier of the cache: a log of records in segments, an index in memory, and the threads that write and read
 * them.
 */
@NullMarked
package io.weir.proxy.cache.disk;

import org.jspecify.annotations.NullMarked;
