/** A queue of messages and its consumers: order, dispatch, delivery, redelivery, expiry, and its side of the store. */
@NullMarked
package io.weir.broker.queue;

import org.jspecify.annotations.NullMarked;
