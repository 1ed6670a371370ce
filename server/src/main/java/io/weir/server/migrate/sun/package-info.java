/** Translates an {@code obj.conf} and what lies beside it. */
@NullMarked
package io.weir.server.migrate.sun;

import org.jspecify.annotations.NullMarked;
