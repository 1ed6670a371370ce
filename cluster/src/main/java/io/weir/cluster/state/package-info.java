/**
 * The cluster's replicated state, and the pure function that computes the next state from the previous one and a
 * command. Nothing here reads a clock or uses random numbers.
 */
@NullMarked
package io.weir.cluster.state;

import org.jspecify.annotations.NullMarked;
