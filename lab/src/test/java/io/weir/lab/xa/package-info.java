/** Distributed transactions over the broker and a database, with a transaction manager in a process of its own. */
@NullMarked
package io.weir.lab.xa;

import org.jspecify.annotations.NullMarked;
