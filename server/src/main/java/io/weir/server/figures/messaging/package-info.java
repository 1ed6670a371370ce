/** The figures of messaging: their records, and the declaration that the views are made from. */
@NullMarked
package io.weir.server.figures.messaging;

import org.jspecify.annotations.NullMarked;
