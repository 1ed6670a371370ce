/** A translation while it is made: its sections and routes, what is told beside it, and its text. */
@NullMarked
package io.weir.server.migrate.draft;

import org.jspecify.annotations.NullMarked;
