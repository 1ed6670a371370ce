/** Consumers and browsers: how messages come to a receive or a listener, and when batches are fetched ahead. */
@NullMarked
package io.weir.jms.client.consumer;

import org.jspecify.annotations.NullMarked;
