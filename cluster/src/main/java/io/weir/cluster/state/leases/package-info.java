/** Leases: their owners and fences. Independent of members and singletons. */
@NullMarked
package io.weir.cluster.state.leases;

import org.jspecify.annotations.NullMarked;
