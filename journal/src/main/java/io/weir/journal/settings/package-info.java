/** A journal's configuration, write policies, statistics, messages and faults. */
@NullMarked
package io.weir.journal.settings;

import org.jspecify.annotations.NullMarked;
