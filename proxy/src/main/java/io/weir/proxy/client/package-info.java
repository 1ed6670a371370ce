/** Client connections: HTTP/1 and HTTP/2, and how answers are written to them. */
@NullMarked
package io.weir.proxy.client;

import org.jspecify.annotations.NullMarked;
