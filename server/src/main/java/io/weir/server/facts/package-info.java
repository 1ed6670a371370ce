/** What the views show of this server, read from kernel, proxy, broker and their statistics when somebody asks. */
@NullMarked
package io.weir.server.facts;

import org.jspecify.annotations.NullMarked;
