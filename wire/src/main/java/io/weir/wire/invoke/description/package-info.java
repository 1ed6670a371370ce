/** Descriptions of interfaces for calls: numbered methods, hashes, exceptions, and an object's exported interfaces. */
@NullMarked
package io.weir.wire.invoke.description;

import org.jspecify.annotations.NullMarked;
