/** Weir's own protocol, both ends: frames, handshake, authentication, heartbeats and reconnect. */
@NullMarked
package io.weir.wire;

import org.jspecify.annotations.NullMarked;
