/** Side-by-side benchmarks: what a request costs Weir and its peers in processor time, measured in turn in one run. */
@NullMarked
package io.weir.lab.bench;

import org.jspecify.annotations.NullMarked;
