/** Segments and their records: the on-disk format, the files, the locations of live entries, and dead copies. */
@NullMarked
package io.weir.journal.segment;

import org.jspecify.annotations.NullMarked;
