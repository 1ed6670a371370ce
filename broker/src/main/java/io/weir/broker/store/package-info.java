/** The message store: what the broker keeps over a restart, on the journal. Knows nothing of delivery. */
@NullMarked
package io.weir.broker.store;

import org.jspecify.annotations.NullMarked;
