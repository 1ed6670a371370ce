/** Atomic additions and removals of messages: commits, and moves from one destination to another. */
@NullMarked
package io.weir.broker.transaction;

import org.jspecify.annotations.NullMarked;
