/** The figures of HTTP traffic, in the words of the Sun proxy: the declarations that the views are made from. */
@NullMarked
package io.weir.server.figures.http;

import org.jspecify.annotations.NullMarked;
