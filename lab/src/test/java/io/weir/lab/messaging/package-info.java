/** Messaging as applications see it: the client against the whole server in this process. */
@NullMarked
package io.weir.lab.messaging;

import org.jspecify.annotations.NullMarked;
