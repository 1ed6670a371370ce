/** Analysis of access logs: {@code weir log top}. */
@NullMarked
package io.weir.server.logtop;

import org.jspecify.annotations.NullMarked;
