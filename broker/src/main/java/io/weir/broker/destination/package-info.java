/** Queues and topics by name, and a topic's subscriptions. */
@NullMarked
package io.weir.broker.destination;

import org.jspecify.annotations.NullMarked;
