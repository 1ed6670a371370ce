/** Cluster-wide timers: schedules, and the engine that fires them on the member that holds their lease. */
@NullMarked
package io.weir.cluster.timer;

import org.jspecify.annotations.NullMarked;
