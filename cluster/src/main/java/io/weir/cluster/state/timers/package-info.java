/** Cluster-wide timers: their definitions and the firings accepted with each fence. */
@NullMarked
package io.weir.cluster.state.timers;

import org.jspecify.annotations.NullMarked;
