/**
 * Compiles the configuration to a program and explains what a program would do with a request: {@link Programs}
 * compiles, {@link Explain} explains. The program itself and the interpreter are in {@code run}.
 */
@NullMarked
package io.weir.proxy.program;

import org.jspecify.annotations.NullMarked;
