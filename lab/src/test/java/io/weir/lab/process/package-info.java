/** The server as a process of its own: killed, starved, hanging, drained, soaked. */
@NullMarked
package io.weir.lab.process;

import org.jspecify.annotations.NullMarked;
