/**
 * The parts of RFC 9110 that every hop needs, as pure functions over field values: dates, validators, conditional
 * requests, ranges, hop-by-hop fields, Via, Forwarded, authorities and targets. No I/O and no clock: times are
 * parameters. Depends on {@code io.weir.http} only.
 */
@NullMarked
package io.weir.http.semantics;

import org.jspecify.annotations.NullMarked;
