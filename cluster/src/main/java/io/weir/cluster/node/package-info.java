/** An assembled member, as started and used by the server. */
@NullMarked
package io.weir.cluster.node;

import org.jspecify.annotations.NullMarked;
