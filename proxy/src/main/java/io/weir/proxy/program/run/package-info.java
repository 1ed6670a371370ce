/**
 * A compiled program and its execution for a request: objects, directives, stages, and the values that functions set.
 * {@link ProgramRun} is the interpreter, {@link FunctionContext} the functions' view of it.
 */
@NullMarked
package io.weir.proxy.program.run;

import org.jspecify.annotations.NullMarked;
