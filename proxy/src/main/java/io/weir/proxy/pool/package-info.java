/** Selection of a pool's server for a request: balancing, health, sticky sessions, retries. */
@NullMarked
package io.weir.proxy.pool;

import org.jspecify.annotations.NullMarked;
