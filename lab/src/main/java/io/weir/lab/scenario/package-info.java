/** Scenario files: their grammar, the scripted clients and origins, and the assertions on the wire and on counters. */
@NullMarked
package io.weir.lab.scenario;

import org.jspecify.annotations.NullMarked;
