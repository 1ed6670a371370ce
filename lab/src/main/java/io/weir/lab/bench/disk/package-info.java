/**
 * {@code weir bench disk}: caches whose objects are on a disk, of Weir and of other servers: hits, a load larger than
 * memory, the start with many objects, and reclaiming under load.
 */
@NullMarked
package io.weir.lab.bench.disk;

import org.jspecify.annotations.NullMarked;
