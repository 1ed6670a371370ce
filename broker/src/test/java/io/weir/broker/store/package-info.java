/** The message store's tests, on a real directory. */
@NullMarked
package io.weir.broker.store;

import org.jspecify.annotations.NullMarked;
