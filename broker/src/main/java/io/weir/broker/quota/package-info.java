/** Bounds on stored messages: quotas, the sends that wait for room, and the memory bound that applies in addition. */
@NullMarked
package io.weir.broker.quota;

import org.jspecify.annotations.NullMarked;
