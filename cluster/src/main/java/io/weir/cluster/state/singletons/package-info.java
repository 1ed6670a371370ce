/** Singletons: placement, moves, and checkpoints. */
@NullMarked
package io.weir.cluster.state.singletons;

import org.jspecify.annotations.NullMarked;
