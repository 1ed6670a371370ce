/** The cells of the matrix of {@code weir bench http --matrix}: what each measures, with which load, and who can do it. */
@NullMarked
package io.weir.lab.bench.cell;

import org.jspecify.annotations.NullMarked;
