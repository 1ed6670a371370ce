/**
 * Where a forward proxy and tunnels may lead: the rules of {@code proxy.destinations}.
 */
@NullMarked
package io.weir.proxy.program.destination;

import org.jspecify.annotations.NullMarked;
