/** Leases: who holds what, with which fence. They know neither members nor singletons. */
@NullMarked
package io.weir.cluster.state.leases;

import org.jspecify.annotations.NullMarked;
