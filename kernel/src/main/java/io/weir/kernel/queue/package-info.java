/**
 * The connection queue: the request throttle, requests that wait for a slot, and the mode that selects where they
 * start.
 */
@NullMarked
package io.weir.kernel.queue;

import org.jspecify.annotations.NullMarked;
