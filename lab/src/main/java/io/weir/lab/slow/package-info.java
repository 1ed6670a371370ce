/** Clients that are slow in every possible way, quick ones beside them, and the process that runs both. */
@NullMarked
package io.weir.lab.slow;

import org.jspecify.annotations.NullMarked;
