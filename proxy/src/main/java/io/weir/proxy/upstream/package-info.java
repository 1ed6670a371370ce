/** Connections to origins: names, connecting, TLS, the pool of each muxer, HTTP/2 sessions, fetches, health checks. */
@NullMarked
package io.weir.proxy.upstream;

import org.jspecify.annotations.NullMarked;
