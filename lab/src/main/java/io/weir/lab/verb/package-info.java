/** Command lines of this room's verbs. */
@NullMarked
package io.weir.lab.verb;

import org.jspecify.annotations.NullMarked;
