/** The caller's end: proxies, one call from method to result, connections to members, and where a service is now. */
@NullMarked
package io.weir.wire.invoke.caller;

import org.jspecify.annotations.NullMarked;
