/** Interfaces as calls know them: numbered methods, hashes, exceptions, and what of an object is exported. */
@NullMarked
package io.weir.wire.invoke.description;

import org.jspecify.annotations.NullMarked;
