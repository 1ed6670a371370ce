/** Command lines of the verbs that this room has. */
@NullMarked
package io.weir.lab.verb;

import org.jspecify.annotations.NullMarked;
