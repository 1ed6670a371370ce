/** Segments and the records in them: the format on the disk, the files, which entries live where, which copies are dead. */
@NullMarked
package io.weir.journal.segment;

import org.jspecify.annotations.NullMarked;
