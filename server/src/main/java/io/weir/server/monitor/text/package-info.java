/** Writes figures: tables, XML, beans, and the views of declared figures. */
@NullMarked
package io.weir.server.monitor.text;

import org.jspecify.annotations.NullMarked;
