/**
 * An open journal: groups are submitted, written in batches by its thread, forced and completed; and how one is opened.
 */
@NullMarked
package io.weir.journal;

import org.jspecify.annotations.NullMarked;
