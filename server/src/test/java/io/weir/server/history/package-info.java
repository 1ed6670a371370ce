/** Tests of the history of statistics. */
@NullMarked
package io.weir.server.history;

import org.jspecify.annotations.NullMarked;
