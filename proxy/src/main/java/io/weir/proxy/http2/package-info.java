/**
 * HTTP/2 without the engine: a connection's frames on Netty's codec, their bounds, and the translation of heads between
 * frames and HTTP/1 syntax. Does not depend on exchanges.
 */
@NullMarked
package io.weir.proxy.http2;

import org.jspecify.annotations.NullMarked;
