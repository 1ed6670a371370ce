/**
 * Weir's own protocol: what a service sees of it at either end. A connection, the handler of its frames, the values that
 * frames are made of, its faults and figures.
 */
@NullMarked
package io.weir.wire;

import org.jspecify.annotations.NullMarked;
