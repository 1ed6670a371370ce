/** The provider's client: connections, sessions, producers, consumers and contexts over Weir's own protocol. */
@NullMarked
package io.weir.jms.client;

import org.jspecify.annotations.NullMarked;
