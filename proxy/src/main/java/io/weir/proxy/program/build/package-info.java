/**
 * Where the languages of programs meet: a {@link ProgramSource} gives objects and directives to the {@link
 * ProgramBuilder}, which checks them and builds the program.
 */
@NullMarked
package io.weir.proxy.program.build;

import org.jspecify.annotations.NullMarked;
