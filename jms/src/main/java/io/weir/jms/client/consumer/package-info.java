/** Consumers and browsers: how messages reach a receive or a listener, and when batches are prefetched. */
@NullMarked
package io.weir.jms.client.consumer;

import org.jspecify.annotations.NullMarked;
