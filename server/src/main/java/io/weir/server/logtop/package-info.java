/** What the access logs tell when they are read back: {@code weir log top}. */
@NullMarked
package io.weir.server.logtop;

import org.jspecify.annotations.NullMarked;
