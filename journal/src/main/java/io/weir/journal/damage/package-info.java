/** Damage: what a segment no longer holds as it was written, what was lost by it, and who acknowledged it. */
@NullMarked
package io.weir.journal.damage;

import org.jspecify.annotations.NullMarked;
