/** The parameters of a server's start, and the reasons why it failed. */
@NullMarked
package io.weir.server.start;

import org.jspecify.annotations.NullMarked;
