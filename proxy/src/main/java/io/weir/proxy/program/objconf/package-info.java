/**
 * The language {@code obj.conf}: {@code ObjParser} reads the text, {@code Expression}s are its conditions and the parts
 * of parameters that are evaluated for each request, and {@code ObjConfSource} compiles the objects to a program.
 */
@NullMarked
package io.weir.proxy.program.objconf;

import org.jspecify.annotations.NullMarked;
