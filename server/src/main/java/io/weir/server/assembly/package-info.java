/** Puts the parts of a server together: what is opened in which order, what each part is given, and how it is closed. */
@NullMarked
package io.weir.server.assembly;

import org.jspecify.annotations.NullMarked;
