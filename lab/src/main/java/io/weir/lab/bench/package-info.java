/** Side-by-side benchmarks: processor time of a request in Weir and its peers, measured in turn in one run. */
@NullMarked
package io.weir.lab.bench;

import org.jspecify.annotations.NullMarked;
