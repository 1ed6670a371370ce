/**
 * Work managers: execute threads with their queues, request classes, constraints, overload protection and stuck
 * threads.
 */
@NullMarked
package io.weir.kernel.work;

import org.jspecify.annotations.NullMarked;
