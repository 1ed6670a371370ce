/** Members: who joined, who is alive, when placement begins, what their configurations have. */
@NullMarked
package io.weir.cluster.state.members;

import org.jspecify.annotations.NullMarked;
