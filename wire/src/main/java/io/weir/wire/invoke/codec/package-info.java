/** Values by their declared types: which types cross, and how each is written and read. */
@NullMarked
package io.weir.wire.invoke.codec;

import org.jspecify.annotations.NullMarked;
