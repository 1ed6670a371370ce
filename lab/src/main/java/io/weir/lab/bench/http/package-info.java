/** The HTTP benchmark: its options, the servers of a run, turns, latency, idle connections and hostile clients. */
@NullMarked
package io.weir.lab.bench.http;

import org.jspecify.annotations.NullMarked;
