/** The destinations that a forward proxy and tunnels may reach: the rules of {@code proxy.destinations}. */
@NullMarked
package io.weir.proxy.program.destination;

import org.jspecify.annotations.NullMarked;
