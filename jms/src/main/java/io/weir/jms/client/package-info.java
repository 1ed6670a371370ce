/** The client of the JMS provider, over Weir's own protocol: connections and their sessions. */
@NullMarked
package io.weir.jms.client;

import org.jspecify.annotations.NullMarked;
