/** The data of the views about this server, read on request from kernel, proxy, broker and their statistics. */
@NullMarked
package io.weir.server.facts;

import org.jspecify.annotations.NullMarked;
