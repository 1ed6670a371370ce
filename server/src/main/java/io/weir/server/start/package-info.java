/** What a server is started with, and why it did not start. */
@NullMarked
package io.weir.server.start;

import org.jspecify.annotations.NullMarked;
