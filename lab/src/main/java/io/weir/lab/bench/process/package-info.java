/**
 * The programs of a benchmark, including Weir, as processes: finding, starting and stopping them, their processor time
 * and memory.
 */
@NullMarked
package io.weir.lab.bench.process;

import org.jspecify.annotations.NullMarked;
