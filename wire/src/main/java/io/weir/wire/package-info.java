/**
 * Weir's own protocol, as services at either end see it: a connection, the handler of its frames, the values in frames,
 * faults and statistics.
 */
@NullMarked
package io.weir.wire;

import org.jspecify.annotations.NullMarked;
