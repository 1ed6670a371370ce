/** The server's end: the handler of accepted connections, their handshake, and the limits. */
@NullMarked
package io.weir.wire.server;

import org.jspecify.annotations.NullMarked;
