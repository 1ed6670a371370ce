/**
 * The threads that own sessions and destinations: loops, their mailboxes, and the read buffers that hold waiting
 * messages.
 */
@NullMarked
package io.weir.broker.loop;

import org.jspecify.annotations.NullMarked;
