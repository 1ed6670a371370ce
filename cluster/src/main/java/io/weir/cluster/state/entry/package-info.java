/** One entry of the log while it is applied: what it asks, what it is answered, what it changes. */
@NullMarked
package io.weir.cluster.state.entry;

import org.jspecify.annotations.NullMarked;
