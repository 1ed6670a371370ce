/** Scenario files: their grammar, the scripted clients and origins, and what is asserted on the wire and on counters. */
@NullMarked
package io.weir.lab.scenario;

import org.jspecify.annotations.NullMarked;
