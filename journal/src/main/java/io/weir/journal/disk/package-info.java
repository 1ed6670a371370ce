/** The files that a journal stands on: a directory as the journal asks for it, the machine's, and reading through a window. */
@NullMarked
package io.weir.journal.disk;

import org.jspecify.annotations.NullMarked;
