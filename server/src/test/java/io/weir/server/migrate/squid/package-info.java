@NullMarked
package io.weir.server.migrate.squid;

import org.jspecify.annotations.NullMarked;
