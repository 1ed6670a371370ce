/** Names on a connection: what a client asks, what a server answers from its directory, and names as JNDI shows them. */
@NullMarked
package io.weir.wire.naming;

import org.jspecify.annotations.NullMarked;
