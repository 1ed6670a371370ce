/** One connection in its pipeline, the same at either end: frames cut and sent, what a handshake agreed on, heartbeats, the close. */
@NullMarked
package io.weir.wire.channel;

import org.jspecify.annotations.NullMarked;
