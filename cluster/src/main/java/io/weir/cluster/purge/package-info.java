/** Purges of the members' caches: this member's cache follows the cluster's log of them. */
@NullMarked
package io.weir.cluster.purge;

import org.jspecify.annotations.NullMarked;
