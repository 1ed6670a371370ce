/** What the statistics were: rings of all values on disk, and questions about them. */
@NullMarked
package io.weir.server.history;

import org.jspecify.annotations.NullMarked;
