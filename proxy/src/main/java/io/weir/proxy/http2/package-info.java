/**
 * HTTP/2 without the engine: a connection's frames on Netty's codec, what is refused of them, and the translation of heads
 * between frames and HTTP/1 syntax. Knows nothing of exchanges.
 */
@NullMarked
package io.weir.proxy.http2;

import org.jspecify.annotations.NullMarked;
