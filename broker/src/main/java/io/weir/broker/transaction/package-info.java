/** Messages that come and go together: commits, and moves from one destination to another. */
@NullMarked
package io.weir.broker.transaction;

import org.jspecify.annotations.NullMarked;
