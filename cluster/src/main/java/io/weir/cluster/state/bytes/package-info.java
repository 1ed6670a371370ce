/** How values are written and read, and the bounds that writers and readers share. */
@NullMarked
package io.weir.cluster.state.bytes;

import org.jspecify.annotations.NullMarked;
