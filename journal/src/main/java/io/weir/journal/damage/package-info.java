/** Damage: places in segments that differ from what was written, what was lost, and acknowledgement. */
@NullMarked
package io.weir.journal.damage;

import org.jspecify.annotations.NullMarked;
