/** What a start puts back from the store. */
@NullMarked
package io.weir.broker.recovery;

import org.jspecify.annotations.NullMarked;
