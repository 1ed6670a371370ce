/** How figures are written: tables, XML, beans, and the views of what is declared once. */
@NullMarked
package io.weir.server.monitor.text;

import org.jspecify.annotations.NullMarked;
