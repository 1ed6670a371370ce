/** The client's part of distributed transactions (XA): a session's resource, and its requests to the broker. */
@NullMarked
package io.weir.jms.client.xa;

import org.jspecify.annotations.NullMarked;
