/** An entry of the log while it is applied: its command, its answer, and its changes. */
@NullMarked
package io.weir.cluster.state.entry;

import org.jspecify.annotations.NullMarked;
