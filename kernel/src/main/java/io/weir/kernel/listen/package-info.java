/** Listeners: their sockets and acceptors, how they are configured, and how a change opens and closes them. */
@NullMarked
package io.weir.kernel.listen;

import org.jspecify.annotations.NullMarked;
