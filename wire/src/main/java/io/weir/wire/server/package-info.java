/** The server's end: what is installed on connections that were accepted, their handshake, and its limits. */
@NullMarked
package io.weir.wire.server;

import org.jspecify.annotations.NullMarked;
