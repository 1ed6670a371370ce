/** The caller's end: proxies, calls from method to result, connections to members, and the location of services. */
@NullMarked
package io.weir.wire.invoke.caller;

import org.jspecify.annotations.NullMarked;
