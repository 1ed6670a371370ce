/** The virtual servers of a program, by the hosts that they have. */
@NullMarked
package io.weir.proxy.program.server;

import org.jspecify.annotations.NullMarked;
