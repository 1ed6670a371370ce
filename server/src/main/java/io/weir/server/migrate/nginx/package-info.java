/** Translates an {@code nginx.conf}. */
@NullMarked
package io.weir.server.migrate.nginx;

import org.jspecify.annotations.NullMarked;
