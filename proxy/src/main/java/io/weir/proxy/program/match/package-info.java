/**
 * Which rule a request falls under: patterns compiled to automata over bytes, and the index that finds the first of many
 * rules. {@link RuleIndex} is the door.
 */
@NullMarked
package io.weir.proxy.program.match;

import org.jspecify.annotations.NullMarked;
