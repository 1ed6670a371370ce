/** Which server of a pool a request goes to: balance, health, sessions that stick, retries. */
@NullMarked
package io.weir.proxy.pool;

import org.jspecify.annotations.NullMarked;
