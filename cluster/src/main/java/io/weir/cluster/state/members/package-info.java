/** Members: joined and live members, the start of placement, and the contents of their configurations. */
@NullMarked
package io.weir.cluster.state.members;

import org.jspecify.annotations.NullMarked;
