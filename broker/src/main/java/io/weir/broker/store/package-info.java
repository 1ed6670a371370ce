/** The message store: the broker's durable state, on the journal. Independent of delivery. */
@NullMarked
package io.weir.broker.store;

import org.jspecify.annotations.NullMarked;
