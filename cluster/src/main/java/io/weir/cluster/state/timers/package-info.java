/** Cluster-wide timers: which firing was accepted with which fence. */
@NullMarked
package io.weir.cluster.state.timers;

import org.jspecify.annotations.NullMarked;
