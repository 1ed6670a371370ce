/** The history of statistics: rings of all values on disk, and queries of them. */
@NullMarked
package io.weir.server.history;

import org.jspecify.annotations.NullMarked;
