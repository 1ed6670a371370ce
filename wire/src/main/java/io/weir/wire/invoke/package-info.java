/** Calls of services over the wire: interfaces described, values carried by their declared types, proxies and dispatch. */
@NullMarked
package io.weir.wire.invoke;

import org.jspecify.annotations.NullMarked;
