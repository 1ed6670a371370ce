/** Names on a connection: a client's requests, a server's responses from its directory, and their JNDI view. */
@NullMarked
package io.weir.wire.naming;

import org.jspecify.annotations.NullMarked;
