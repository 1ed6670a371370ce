/**
 * The benchmark of growth: what a unit of work costs when one number, such as that of connections or of queues, grows
 * by powers of ten.
 */
@NullMarked
package io.weir.lab.bench.growth;

import org.jspecify.annotations.NullMarked;
