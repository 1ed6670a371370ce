/** The figures of work managers, request classes and constraints: their records, and the declaration that the views are made from. */
@NullMarked
package io.weir.server.figures.work;

import org.jspecify.annotations.NullMarked;
