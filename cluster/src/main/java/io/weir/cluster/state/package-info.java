/**
 * The cluster's state: what all members agree on, and the pure function that makes the next from the last and a command.
 * Nothing here reads a clock or draws lots.
 */
@NullMarked
package io.weir.cluster.state;

import org.jspecify.annotations.NullMarked;
