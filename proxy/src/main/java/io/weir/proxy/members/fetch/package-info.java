/** Fetches from the cache of another member instead of the origin. */
@NullMarked
package io.weir.proxy.members.fetch;

import org.jspecify.annotations.NullMarked;
