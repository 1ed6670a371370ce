/** Assembles a server: the order in which parts are opened, what each is given, and how it is closed. */
@NullMarked
package io.weir.server.assembly;

import org.jspecify.annotations.NullMarked;
