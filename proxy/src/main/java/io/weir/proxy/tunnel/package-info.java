/** Passing bytes both ways between a client and an origin, after CONNECT or an upgrade. */
@NullMarked
package io.weir.proxy.tunnel;

import org.jspecify.annotations.NullMarked;
