/**
 * Which server of a pool a request goes to: balancing, stickiness, health, limits, slow start and the retry budget. No I/O
 * happens here: the engine tells what became of a request or a check, and time is the injected clock's.
 */
@NullMarked
package io.weir.proxy.origins;

import org.jspecify.annotations.NullMarked;
