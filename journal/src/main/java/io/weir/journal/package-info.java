/** The journal: an append-only segmented log with checksums, group commit, recovery and compaction. */
@NullMarked
package io.weir.journal;

import org.jspecify.annotations.NullMarked;
