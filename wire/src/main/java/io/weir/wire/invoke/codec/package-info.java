/** Encoding by declared type: the supported types, and how each is encoded and decoded. */
@NullMarked
package io.weir.wire.invoke.codec;

import org.jspecify.annotations.NullMarked;
