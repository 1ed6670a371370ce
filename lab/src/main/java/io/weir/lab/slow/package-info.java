/** Clients that are slow in every way a client can be, the quick ones beside them, and the process that holds both. */
@NullMarked
package io.weir.lab.slow;

import org.jspecify.annotations.NullMarked;
