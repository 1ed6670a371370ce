/**
 * The benchmark of rules: the tuning guide's table of response times by the number of {@code assign-name} directives,
 * measured again.
 */
@NullMarked
package io.weir.lab.bench.rules;

import org.jspecify.annotations.NullMarked;
