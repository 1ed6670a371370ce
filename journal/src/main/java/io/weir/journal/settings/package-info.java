/** What a journal is configured by, counts and says: its section, write policies, statistics, messages and faults. */
@NullMarked
package io.weir.journal.settings;

import org.jspecify.annotations.NullMarked;
