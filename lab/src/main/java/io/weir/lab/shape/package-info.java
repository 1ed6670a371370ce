/** The shape of the sources: how large packages, files and methods are, and how classes depend on each other. */
@NullMarked
package io.weir.lab.shape;

import org.jspecify.annotations.NullMarked;
