/** What the processes of a server do for each other's caches: purges that reach all, and one owner for each key. */
@NullMarked
package io.weir.server.siblings;

import org.jspecify.annotations.NullMarked;
