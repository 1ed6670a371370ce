/** The client's end: URLs, options, connecting and reconnecting. */
@NullMarked
package io.weir.wire.client;

import org.jspecify.annotations.NullMarked;
