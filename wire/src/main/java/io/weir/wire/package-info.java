/** Weir's own protocol, both ends: frames, handshake, authentication, heartbeats, reconnecting, naming. */
@NullMarked
package io.weir.wire;

import org.jspecify.annotations.NullMarked;
