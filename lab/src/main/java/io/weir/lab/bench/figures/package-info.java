/**
 * Figures of a run: the machine's state, series of turns, ratios with intervals, verdicts, and the tables they are
 * shown in.
 */
@NullMarked
package io.weir.lab.bench.figures;

import org.jspecify.annotations.NullMarked;
