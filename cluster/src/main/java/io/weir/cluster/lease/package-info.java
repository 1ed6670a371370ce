/** Leases: the holder's side, which renews them, and the side that expires them. */
@NullMarked
package io.weir.cluster.lease;

import org.jspecify.annotations.NullMarked;
