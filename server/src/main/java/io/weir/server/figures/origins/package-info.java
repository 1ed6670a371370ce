/** The figures of pools of origin servers: their records, and the declaration that the views are made from. */
@NullMarked
package io.weir.server.figures.origins;

import org.jspecify.annotations.NullMarked;
