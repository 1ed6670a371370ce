/**
 * Selection of the rule for a request: patterns compiled to automata over bytes, and the index that finds the first of
 * many rules. {@link RuleIndex} is the entry point.
 */
@NullMarked
package io.weir.proxy.program.match;

import org.jspecify.annotations.NullMarked;
