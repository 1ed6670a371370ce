/** Purges of the members' caches in the replicated state: which there were, and which member has applied them. */
@NullMarked
package io.weir.cluster.state.purges;

import org.jspecify.annotations.NullMarked;
