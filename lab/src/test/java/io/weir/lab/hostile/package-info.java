/** Attacks on a server that is put where an operator would put it: {@code docs/hostile.md} has the table of them. */
@NullMarked
package io.weir.lab.hostile;

import org.jspecify.annotations.NullMarked;
