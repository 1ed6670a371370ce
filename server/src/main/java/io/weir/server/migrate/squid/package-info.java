/** Translates a {@code squid.conf}. */
@NullMarked
package io.weir.server.migrate.squid;

import org.jspecify.annotations.NullMarked;
