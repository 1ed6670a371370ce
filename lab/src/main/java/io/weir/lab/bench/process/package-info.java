/** The programs of a benchmark as processes: found, started, Weir among them, their processor time and memory, and stopped. */
@NullMarked
package io.weir.lab.bench.process;

import org.jspecify.annotations.NullMarked;
