/** The messaging benchmark: its options, scenarios, the servers of a run, their load, and the results. */
@NullMarked
package io.weir.lab.bench.jms;

import org.jspecify.annotations.NullMarked;
