/** The start of a journal: reading its files, truncating torn tails, and replaying every live entry to its owner. */
@NullMarked
package io.weir.journal.recovery;

import org.jspecify.annotations.NullMarked;
