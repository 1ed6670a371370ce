/**
 * Calls of services over the wire, as both ends see them: frames, references, faults, counters, the context of a call.
 */
@NullMarked
package io.weir.wire.invoke;

import org.jspecify.annotations.NullMarked;
