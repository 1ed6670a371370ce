/** The matrix of {@code weir bench http --matrix}: all cells in one run, its table and its page. */
@NullMarked
package io.weir.lab.bench.matrix;

import org.jspecify.annotations.NullMarked;
