/** The threads that own sessions and destinations: loops, their mailboxes, and the read buffers that waiting messages lie in. */
@NullMarked
package io.weir.broker.loop;

import org.jspecify.annotations.NullMarked;
