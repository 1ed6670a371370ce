/** Leases: who may hold what until when, on the holder's side and on the side that declares them over. */
@NullMarked
package io.weir.cluster.lease;

import org.jspecify.annotations.NullMarked;
