/** Encoding of values, and the limits shared by writers and readers. */
@NullMarked
package io.weir.cluster.state.bytes;

import org.jspecify.annotations.NullMarked;
