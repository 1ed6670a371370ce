/** Servers to compare with, the scenarios and targets, and how Weir and each peer are configured for them. */
@NullMarked
package io.weir.lab.bench.peer;

import org.jspecify.annotations.NullMarked;
