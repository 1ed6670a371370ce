/** The named subscriptions, durable and shared: which consumers can join one, and how it ends. */
@NullMarked
package io.weir.broker.subscription;

import org.jspecify.annotations.NullMarked;
