@NullMarked
package io.weir.server.migrate;

import org.jspecify.annotations.NullMarked;
