/** SingletonRules: where each is placed and why, how it moves, what it remembers. */
@NullMarked
package io.weir.cluster.state.singletons;

import org.jspecify.annotations.NullMarked;
