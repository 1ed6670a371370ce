/** Fetches that fill or validate the store, and the requests that read along. {@link Fill} is the entry point. */
@NullMarked
package io.weir.proxy.cache.fill;

import org.jspecify.annotations.NullMarked;
