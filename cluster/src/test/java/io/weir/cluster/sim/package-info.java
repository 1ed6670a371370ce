/**
 * A whole cluster in one thread: virtual time, a model of the log, faults drawn from a seed, and what must hold at every step.
 * The code above the log is the real one.
 */
@NullMarked
package io.weir.cluster.sim;

import org.jspecify.annotations.NullMarked;
