/** The figures of the kernel, its pools and the process, in the words of the Sun proxy: the declarations that the views are made from. */
@NullMarked
package io.weir.server.figures.kernel;

import org.jspecify.annotations.NullMarked;
