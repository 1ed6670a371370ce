/**
 * A compiled program and how a request runs through it: objects, directives, stages, and what functions set on the way.
 * {@link ProgramRun} is the interpreter, {@link FunctionContext} what functions see of it.
 */
@NullMarked
package io.weir.proxy.program.run;

import org.jspecify.annotations.NullMarked;
