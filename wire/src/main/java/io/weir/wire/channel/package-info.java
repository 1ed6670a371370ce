/**
 * One connection in its pipeline, the same at either end: splitting and sending frames, the result of a handshake,
 * heartbeats, the close.
 */
@NullMarked
package io.weir.wire.channel;

import org.jspecify.annotations.NullMarked;
