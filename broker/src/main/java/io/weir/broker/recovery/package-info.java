/** Recovery of the broker's contents from the store at the start. */
@NullMarked
package io.weir.broker.recovery;

import org.jspecify.annotations.NullMarked;
