/**
 * From the configuration to a program, and what a program would do with a request: {@link Programs} compiles, {@link
 * Explain} explains. What a program is and how requests run through it is in {@code run}.
 */
@NullMarked
package io.weir.proxy.program;

import org.jspecify.annotations.NullMarked;
