/** How a journal starts: it reads what was left, cuts torn tails, and replays to its owner every entry that lives. */
@NullMarked
package io.weir.journal.recovery;

import org.jspecify.annotations.NullMarked;
